/** The supervisor that a launcher keeps ready may die unnoticed: a run that gets it must not fail for that. */
import { assertEquals } from "@std/assert";
import { createLauncher } from "../../src/host/launcher.ts";
import { supervisorCommand } from "../../src/host/supervisor_command.ts";
import type { Launcher } from "../../src/supervision/ports.ts";
import type { Receipt } from "../../src/supervision/receipts.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { keepLog, type KeptLog, VERSION_CHECK } from "../helpers/launch.ts";
import { liveProcesses, markedWith, until } from "../helpers/processes.ts";

/** Runs the n-th supervisor that is started with the n-th line of shell. */
async function launcherOf(
  folder: string,
  lines: readonly string[],
): Promise<{ readonly launcher: Launcher; readonly log: KeptLog }> {
  const real = supervisorCommand(Deno.env.toObject());
  const count = `${folder}/count`;
  await Deno.writeTextFile(count, "0\n");
  const cases = lines.map((line, index) => `${index}) ${line} ;;`).join("\n");
  const script = `read -r n < ${count}; echo $((n + 1)) > ${count}
case $n in
${cases}
esac
exec "$@"`;
  const log = keepLog();
  const launcher = createLauncher({
    log,
    keepsSpare: true,
    supervisor: {
      program: "/bin/sh",
      args: ["-c", script, "sh", real.program, ...real.args],
      env: real.env,
    },
  });
  return { launcher, log };
}

async function run(launcher: Launcher): Promise<readonly Receipt["receipt"][]> {
  const runId = crypto.randomUUID();
  const supervised = await launcher.launch({
    runId,
    executable: fakeClaude("ok"),
    argv: [],
    stdin: null,
    env: {},
    checks: [VERSION_CHECK],
  });
  const text = new Response(supervised.stdout).text();
  const kinds: Receipt["receipt"][] = [];
  for await (const { receipt } of supervised.receipts) kinds.push(receipt);
  await supervised.ended;
  assertEquals((await text).includes('"type":"result"'), kinds.includes("exit"));
  assertEquals(await markedWith(runId), []);
  return kinds;
}

/** Waits until the next supervisor waits for its job. */
async function spareReady(): Promise<void> {
  const isSpare = async () => {
    const rows = await liveProcesses();
    const mine = rows.filter((row) => row.ppid === Deno.pid && row.supervises !== null);
    return mine.length === 1;
  };
  await until(isSpare, { what: "a supervisor that is ready" });
}

const WHOLE = ["accepted", "version", "started", "exit", "stderr_tail", "cleanup"] as const;
/** How the one that was ready dies. */
const DEATHS: readonly (readonly [string, string])[] = [
  ["when it is given its job", "read -r job; kill -KILL $$"],
  ["with last words that are no receipt", "read -r job; echo 'Killed' >&2; exit 137"],
];

for (const [how, script] of DEATHS) {
  Deno.test(`a run whose ready supervisor dies ${how} gets another, and answers`, async () => {
    const folder = await Deno.makeTempDir();
    const { launcher, log } = await launcherOf(folder, [":", script]);
    try {
      assertEquals(await run(launcher), WHOLE);
      await spareReady();
      assertEquals(await run(launcher), WHOLE);
      const told = log.lines.filter((line) => line.includes("kept ready had died"));
      assertEquals(told.length, 1, log.lines.join("\n"));
    } finally {
      await launcher.close?.();
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("a supervisor that dies after it has accepted its job is replaced by nobody", async () => {
  const folder = await Deno.makeTempDir();
  const accepts = `read -r job; echo '{"receipt":"accepted"}' >&2; kill -KILL $$`;
  const { launcher } = await launcherOf(folder, [":", accepts]);
  try {
    assertEquals(await run(launcher), WHOLE);
    await spareReady();
    // What it had started by then nobody could tell: the run is the business of the recovery. It did not come to the
    // end of its version check, so Claude Code was not started.
    assertEquals(await run(launcher), ["accepted", "spawn_failed"]);
  } finally {
    await launcher.close?.();
    await Deno.remove(folder, { recursive: true });
  }
});
