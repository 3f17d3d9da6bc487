import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { z } from "zod";
import { AdapterError } from "../../src/base/errors.ts";
import type { LentTool } from "../../src/bridge/lent_tool.ts";
import { type BenchOptions, ToolBench } from "../../src/bridge/tool_bench.ts";
import { FakeClock, settle } from "../helpers/fake_clock.ts";

const tool = (
  name: string,
  handler: LentTool["handler"],
  more: Partial<LentTool> = {},
): LentTool => ({
  name,
  description: "d",
  inputSchema: { type: "object" },
  handler,
  ...more,
});

function bench(tools: readonly LentTool[], options: Partial<BenchOptions> = {}) {
  const clock = new FakeClock();
  const made = new ToolBench(tools, { clock, ...options });
  const call = (name: string, input: unknown = {}, signal = new AbortController().signal) =>
    made.call({ name, input, signal, callId: "c1" });
  return { clock, made, call };
}

const said = (result: { readonly content: readonly unknown[] }) =>
  (result.content[0] as { text: string }).text;
const forever = () => new Promise<never>(() => {});

Deno.test("a call that outlives its deadline is told to stop and answered as an error", async () => {
  let reason: unknown = null;
  const endless = tool("endless", (_, { signal }) => {
    signal.addEventListener("abort", () => reason = signal.reason);
    return forever();
  }, { timeoutMs: 2_000 });
  const { clock, made, call } = bench([endless, tool("other", forever)], { toolTimeoutMs: 9_000 });
  const [first, second] = [call("endless"), call("other")];
  await settle();
  assertEquals([made.active, made.sinceCallMs()], [2, 0]);
  await clock.tick(2_000);
  assertEquals(said(await first), "The tool did not answer within 2 s; it was told to stop");
  assertEquals([(reason as AdapterError).code, made.active], ["timeout", 1]);
  await clock.tick(7_000);
  assertStringIncludes(said(await second), "within 9 s");
  await clock.tick(500);
  assertEquals([made.sinceCallMs(), clock.pending], [500, 0]);
});

Deno.test("a check that never ends is under the deadline of its call, too", async () => {
  const stuck = tool("stuck", () => "ran", {
    inputSchema: z.object({}).refine(() => forever()),
    timeoutMs: 1_000,
  });
  const { clock, made, call } = bench([stuck]);
  const stop = new AbortController();
  const [first, second] = [call("stuck"), call("stuck", {}, stop.signal)];
  await settle();
  stop.abort();
  assertEquals((await second).isError, true);
  await clock.tick(1_000);
  assertStringIncludes(said(await first), "within 1 s");
  assertEquals([made.active, clock.pending], [0, 0]);
});

Deno.test("a call that is given up, and one that runs when the bench closes, end at once; later ones do not run", async () => {
  let ran = 0;
  const counted = tool("counted", () => {
    ran += 1;
    return forever();
  });
  const { clock, made, call } = bench([counted]);
  const stop = new AbortController();
  const given = call("counted", {}, stop.signal);
  const running = call("counted");
  await settle();
  stop.abort();
  assertEquals((await given).isError, true);
  made.close("The turn is over");
  assertEquals([said(await running), said(await call("counted"))], [
    "The turn is over",
    "The turn is over",
  ]);
  assertEquals([ran, clock.pending, made.active], [2, 0, 0]);
});

Deno.test("a tool that was withdrawn keeps its name for those who tell of it, and does not run", async () => {
  const { made, call } = bench([tool("a.b", () => "ran"), tool("c", () => "ran")]);
  const [odd] = made.names;
  assertEquals([made.withdraw("a.b"), made.withdraw("a.b"), made.withdraw("nope")], [
    true,
    false,
    false,
  ]);
  assertStringIncludes(said(await call(odd!)), "There is no tool");
  assertEquals([made.givenName(odd!), made.names, said(await call("c"))], ["a.b", ["c"], "ran"]);
});

Deno.test("media that may not be described are a fault of the turn, other failures are the model's to know", async () => {
  const faults: string[] = [];
  const { call } = bench([
    tool("sound", () => ({ type: "media", mediaType: "audio/wav" })),
    tool("broken", () => Promise.reject(new Error("no"))),
    tool("wrong", () => 5 as never),
  ], { onFault: ({ code }) => faults.push(code) });
  for (const name of ["sound", "broken", "wrong"]) assertEquals((await call(name)).isError, true);
  assertEquals(faults, ["unsupported_media"]);
});

Deno.test("calls at once are bounded", async () => {
  const { made, call } = bench([tool("endless", forever)]);
  const running = Array.from({ length: 64 }, () => call("endless"));
  await settle();
  assertStringIncludes(said(await call("endless")), "64 calls run already");
  made.close("over");
  await Promise.all(running);
});

Deno.test("tools that are wrong are refused before anything starts, by name and bound", () => {
  const fine = tool("a", () => "");
  const wrong: readonly (readonly [unknown, string, Partial<BenchOptions>?])[] = [
    [5, "must be a list"],
    [[null], "a tool's name"],
    [Array.from({ length: 257 }, (_, i) => tool(`t${i}`, () => "")), "the bound is 256"],
    [[{ ...fine, handler: "x" }], "'a' has no 'handler'"],
    [[{ ...fine, description: " " }], "'a' has no 'description'"],
    [[{ ...fine, description: "x".repeat(17_000) }], "more than 16384 bytes"],
    [[{ ...fine, timeoutMs: 0 }], "'timeoutMs' of tool 'a'"],
    [[{ ...fine, timeoutMs: 1.5 }], "'timeoutMs' of tool 'a'"],
    [[fine], "'maxResultChars'", { maxResultChars: 400_001 }],
    [
      Array.from({ length: 200 }, (_, i) => ({
        ...fine,
        name: `t${i}`,
        description: "x".repeat(16_000),
      })),
      "the bound is 2097152",
    ],
  ];
  for (const [tools, says, options = {}] of wrong) {
    const error = assertThrows(() => bench(tools as LentTool[], options), AdapterError);
    assertEquals(error.code, "invalid_arguments");
    assert(error.message.includes(says), error.message);
  }
});
