/**
 * A minimal adapter for tests, run with the adapter's own permissions: starts one stand-in, reports every receipt
 * and frame as a JSON line on stdout, and stays until it is ended or its stdin says `stop`.
 *
 * Arguments: the run id, the executable, then the native arguments.
 *
 * @module
 */
import { createLauncher } from "../../src/host/launcher.ts";
import { createLog } from "../../src/host/log.ts";
import { createOutput } from "../../src/host/stdio.ts";

const [runId, executable, ...argv] = Deno.args;
const output = createOutput(Deno.stdout);
const say = (value: unknown) =>
  output.write(new TextEncoder().encode(JSON.stringify(value) + "\n"));

const launcher = createLauncher({ log: createLog({ level: "error" }), executable: executable! });
const run = await launcher.launch({
  runId: runId!,
  executable: launcher.locate(),
  argv,
  stdin: null,
  env: {},
  checks: [],
});
await say({ supervisor: run.pid });
void (async () => {
  for await (const _ of Deno.stdin.readable) run.stop();
})();
void (async () => {
  const decoder = new TextDecoder();
  for await (const chunk of run.stdout) {
    await say({ stdout: decoder.decode(chunk, { stream: true }) });
  }
})();
for await (const receipt of run.receipts) await say(receipt);
await run.ended;
Deno.exit(0);
