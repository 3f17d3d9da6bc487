import { assertEquals } from "@std/assert";
import { Activity } from "../../src/runs/activity.ts";
import { init, toolResult, toolUse } from "../helpers/frames.ts";

const block = (type: string) => ({
  type: "stream_event",
  event: { type: "content_block_start", content_block: { type } },
});
const retry = {
  type: "system",
  subtype: "api_retry",
  attempt: 2,
  max_retries: 10,
  error: "overloaded",
};

Deno.test("activity: says what goes on and for how long", () => {
  const activity = new Activity("starting", 0);
  assertEquals(activity.line(900), "starting for 0 s");
  activity.observe(init(), 1_000);
  assertEquals(activity.line(3_500), "waiting for the model for 2 s");
  activity.observe(block("thinking"), 4_000);
  assertEquals(activity.line(5_000), "thinking for 1 s");
  activity.observe(block("text"), 5_000);
  assertEquals(activity.line(5_000), "writing for 0 s");
  activity.observe(retry, 6_000);
  assertEquals(
    activity.line(9_000),
    "waiting to retry the API (overloaded, attempt 2 of 10) for 3 s",
  );
});

Deno.test("activity: names the oldest running tool, counts the others, and goes back", () => {
  const activity = new Activity("starting", 0);
  activity.observe(toolUse("a", "Bash"), 1_000);
  activity.observe(toolUse("b", "Read"), 2_000);
  assertEquals(activity.line(13_000), "running Bash and 1 more for 12 s");
  activity.observe(toolResult("a"), 14_000);
  assertEquals(activity.line(15_000), "running Read for 13 s");
  activity.observe(toolResult("b"), 16_000);
  assertEquals(activity.line(200_000), "waiting for the model for 3 min");
});

Deno.test("activity: the same step keeps its start, and odd frames change nothing", () => {
  const activity = new Activity("starting", 0);
  activity.observe(init(), 1_000);
  activity.observe(init(), 5_000);
  for (
    const odd of [{}, { type: "system" }, { type: "stream_event" }, {
      type: "assistant",
      message: 1,
    }]
  ) {
    activity.observe(odd, 6_000);
  }
  assertEquals(activity.line(7_000), "waiting for the model for 6 s");
});

Deno.test("names from outside cannot break the line", () => {
  const nasty = "a\u001b[31m\r\nb\u202e";
  const shown = "a\\x1b[31m\\x0d\\x0ab\\u202e";
  const tool = new Activity("starting", 0);
  tool.observe(toolUse("t1", nasty), 0);
  assertEquals(tool.line(0), `running ${shown} for 0 s`);
  const retry = new Activity("starting", 0);
  retry.observe({ type: "system", subtype: "api_retry", error: nasty }, 0);
  assertEquals(retry.line(0), `waiting to retry the API (${shown}, attempt ? of ?) for 0 s`);
  const task = new Activity("starting", 0);
  task.set(`answered, waiting for 1 background task (${nasty})`, 0);
  assertEquals(task.line(0), `answered, waiting for 1 background task (${shown}) for 0 s`);
});
