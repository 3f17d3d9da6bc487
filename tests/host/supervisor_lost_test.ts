import { assertEquals, assertStringIncludes } from "@std/assert";
import { launchFake } from "../helpers/launch.ts";

const ENV = { PATH: "/usr/bin:/bin" };
/** What stands where the supervisor should start, and what of it a caller gets to read. */
const BROKEN: readonly (readonly [string, readonly string[], string])[] = [
  ["/nonexistent/deno", [], "nonexistent"],
  ["/bin/sh", ["-c", "echo 'no such module' >&2; exit 1"], "no such module"],
  ["/bin/sh", ["-c", "exit 0"], "it said nothing"],
];

for (const [program, args, words] of BROKEN) {
  Deno.test(`a supervisor that cannot start as '${program} ${args.join(" ")}' is reported with its last words`, async () => {
    const run = await launchFake("ok", { launcher: { supervisor: { program, args, env: ENV } } });
    assertEquals(await run.finish(), null);
    assertEquals(run.receipts.length, 1);
    const receipt = await run.receipt("spawn_failed");
    assertEquals(receipt.fault, "supervisor");
    assertStringIncludes(receipt.detail, words);
    assertEquals((await run.supervised.recover()).confirmed, true);
  });
}
