/**
 * Records what the real CLI prints against the loopback model, into fixtures/streams.
 *
 * `deno run -A scripts/record_native.ts [case ...]` records all cases, or the named ones.
 *
 * @module
 */

// deno-lint-ignore-file no-console -- a program for people
import { installNative, PINNED_VERSION } from "./native/install.ts";
import { CASES } from "./record/cases.ts";
import { argvOf, runCase } from "./record/run_case.ts";

const folder = new URL("../fixtures/streams/", import.meta.url);
const names = new Set(Deno.args);
const chosen = CASES.filter((one) => names.size === 0 || names.has(one.name));
for (const name of names) {
  if (!CASES.some((one) => one.name === name)) {
    console.error(`no such case: ${name}; there are: ${CASES.map((one) => one.name).join(", ")}`);
    Deno.exit(2);
  }
}
const binary = await installNative();
await Deno.mkdir(folder, { recursive: true });
for (const wanted of chosen) {
  const recording = await runCase(wanted, binary);
  const about = {
    note: wanted.note,
    native_version: PINNED_VERSION,
    argv: argvOf(wanted),
    env: wanted.env ?? {},
    exit_code: recording.exitCode,
    signal: recording.signal,
    sent_signal: wanted.signal?.name ?? null,
    model_requests: recording.requests,
    stderr: recording.stderr,
  };
  await Deno.writeTextFile(new URL(`${wanted.name}.ndjson`, folder), recording.stdout);
  await Deno.writeTextFile(
    new URL(`${wanted.name}.json`, folder),
    JSON.stringify(about, null, 2) + "\n",
  );
  const lines = recording.stdout.split("\n").length - 1;
  console.log(
    `${wanted.name}: ${lines} lines, ${recording.stdout.length} characters, exit ${recording.exitCode}, ` +
      `${recording.requests} requests`,
  );
}
