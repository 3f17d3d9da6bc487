import { assertEquals } from "@std/assert";
import { encodeThreadState, readThreadState } from "../../src/threads/thread_state.ts";

const COST = { sessionId: "s", totalUsd: 0.5, threadUsd: null };

Deno.test("what is remembered of a thread comes back as it was", () => {
  for (const state of [{ cwd: "/a", cost: COST }, { cwd: null, cost: null }]) {
    assertEquals(readThreadState(encodeThreadState(state)), state);
  }
});

Deno.test("what cannot be read is nothing, and no fault", () => {
  const nothing = { cwd: null, cost: null };
  const texts = ["", "{", "null", "[]", '{"format_version":2,"cwd":"/a"}', '{"cwd":"/a"}'];
  for (const text of texts) assertEquals(readThreadState(text), nothing, text);
  for (
    const cost of [1, { ...COST, sessionId: 1 }, { ...COST, totalUsd: "1" }, {
      ...COST,
      threadUsd: -1,
    }]
  ) {
    const text = JSON.stringify({ format_version: 1, cwd: "/a", cost });
    assertEquals(readThreadState(text), { cwd: "/a", cost: null }, text);
  }
});
