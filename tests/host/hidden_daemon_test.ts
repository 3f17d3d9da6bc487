import { assertEquals } from "@std/assert";
import { launchFake } from "../helpers/launch.ts";
import { endProcess, identityOf, isAlive, until } from "../helpers/processes.ts";

/** Starts the run, waits until a look has seen the daemon, and then takes the daemon's parent away. */
async function hide(folder: string) {
  const run = await launchFake("hidden_daemon", { argv: [folder, "stay"] });
  const daemon = await identityOf(await run.pidOf("daemon"));
  await until(
    () =>
      Promise.resolve(
        run.receipts.some((receipt) =>
          receipt.receipt === "seen" && receipt.unmarked.some((row) => row.pid === daemon.pid)
        ),
      ),
    { what: "a look at the daemon" },
  );
  await Deno.writeTextFile(`${folder}/go`, "");
  await until(() => Deno.stat(`${folder}/left`).then(() => true, () => false), {
    what: "the daemon's parent to end",
  });
  return { run, daemon };
}

Deno.test("a daemon that shows no sign any more is ended, because it was seen while it did", async () => {
  const folder = await Deno.makeTempDir();
  const { run, daemon } = await hide(folder);
  run.supervised.stop();
  const cleanup = await run.finish();
  assertEquals([cleanup?.confirmed, cleanup?.survivors], [true, []]);
  assertEquals(await isAlive(daemon.pid, daemon.start), false);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("the same when the supervisor is killed: what it saw outlives it", async () => {
  const folder = await Deno.makeTempDir();
  const { run, daemon } = await hide(folder);
  endProcess(run.supervised.pid);
  await run.finish();
  const cleanup = await run.supervised.recover();
  assertEquals([cleanup.confirmed, cleanup.survivors], [true, []]);
  assertEquals(await isAlive(daemon.pid, daemon.start), false);
  await Deno.remove(folder, { recursive: true });
});
