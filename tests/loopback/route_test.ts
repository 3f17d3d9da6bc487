import { assertEquals } from "@std/assert";
import {
  answer,
  conversationState,
  failure,
  failuresThen,
  type LoggedRequest,
  type Message,
  route,
} from "../../src/loopback/mod.ts";

function asking(...messages: readonly Message[]): LoggedRequest {
  return { method: "POST", path: "/v1/messages", headers: {}, body: { messages } };
}

const PROMPT = asking({ role: "user", content: "please start" });
const RESULT = asking(
  { role: "user", content: "please start" },
  { role: "assistant", content: [{ type: "tool_use", id: "t" }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "alpha" }] },
);
const NOTICE = asking({
  role: "user",
  content: [{ type: "text", text: "<task-notification>\n<status>completed</status>" }],
});

Deno.test("the state of a conversation is what its last user message is", () => {
  assertEquals([PROMPT, RESULT, NOTICE].map(conversationState), [
    "prompt",
    "tool_result",
    "task_notification",
  ]);
});

Deno.test("the first rule whose conditions all hold answers", () => {
  const script = route([
    { is: "task_notification", reply: answer("woken") },
    { is: "tool_result", says: "beta", reply: answer("wrong") },
    { is: "tool_result", says: /al+pha/, reply: answer("read") },
    { when: (request) => request.body?.messages?.length === 1, reply: answer("started") },
  ]);
  assertEquals([PROMPT, RESULT, NOTICE].map(script), [
    answer("started"),
    answer("read"),
    answer("woken"),
  ]);
});

Deno.test("a used up list lets the next rule match, and no rule means no reply", () => {
  const script = route([
    { is: "prompt", reply: [answer("one"), answer("two")] },
    { says: "start", is: "prompt", reply: [answer("three")] },
  ]);
  assertEquals([PROMPT, PROMPT, PROMPT, PROMPT, RESULT].map(script), [
    answer("one"),
    answer("two"),
    answer("three"),
    undefined,
    undefined,
  ]);
});

Deno.test("failures come before the replies", () => {
  const fail = failure(529);
  assertEquals(failuresThen(2, fail, answer("ok")), [fail, fail, answer("ok")]);
});
