import { assertEquals, assertStringIncludes } from "@std/assert";
import { launchFake } from "../helpers/launch.ts";
import { endProcess, identityOf, isAlive } from "../helpers/processes.ts";

// They are children of the supervisor from the moment they lose their parent: no look has to catch them before.
for (const end of ["its own end", "a stop", "SIGKILL of the native process"]) {
  Deno.test(`daemons that show no sign from their first moment on are ended after ${end}`, async () => {
    const run = await launchFake("vanishing_daemons", {
      argv: ["--", end === "its own end" ? "end" : "stay"],
    });
    const native = await run.receipt("started");
    const pids = [await run.pidOf("plain"), await run.pidOf("deaf")];
    const daemons = end === "its own end" ? [] : await Promise.all(pids.map(identityOf));
    if (end === "a stop") run.supervised.stop();
    if (end === "SIGKILL of the native process") endProcess(native.pid);
    const cleanup = await run.finish();
    assertEquals([cleanup?.confirmed, cleanup?.survivors], [true, []]);
    assertEquals((cleanup?.retired ?? 0) >= 2, true, "both had to be ended");
    for (const daemon of daemons) assertEquals(await isAlive(daemon.pid, daemon.start), false);
    for (const pid of pids) assertEquals(await isAlive(pid), false);
  });
}

Deno.test("the log says which rung of the ladder a clean-up needed", async () => {
  const run = await launchFake("vanishing_daemons", { argv: ["--", "end"] });
  await run.finish();
  const line = run.log.lines.find((one) => one.includes("Clean-up had to end processes"));
  assertStringIncludes(line ?? "", '"rung":"kill"');
});
