/**
 * The executor on the real CLI. Two calls that take more than a minute run beside all other cases, so that they cost
 * little more than their wait.
 */
import { assertEquals } from "@std/assert";
import { ENDS_OF_TURNS } from "./executor_ends.ts";
import { GATE } from "./executor_gate.ts";
import { startLongCalls } from "./executor_long.ts";
import { LIVES } from "./executor_lives.ts";
import { READING } from "./executor_reading.ts";
import { TOOLS } from "./executor_tools.ts";
import { privateFolders, temporaryFolder } from "./executor_world.ts";

Deno.test("lent tools on the real CLI", async (t) => {
  const longCalls = await startLongCalls();
  for (const { name, body } of [...TOOLS, ...GATE, ...READING, ...LIVES, ...ENDS_OF_TURNS]) {
    await t.step(name, body);
  }
  await t.step("a call of 70 s lives on signs of life, and without them it is given up", longCalls);
  const left = await privateFolders(await temporaryFolder());
  assertEquals(left.filter((name) => name.includes(`.${Deno.pid}.`)), [], "private folders");
});
