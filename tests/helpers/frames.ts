/** Frame items for tests of the record, as the frame stream would give them. */
import type { JsonObject } from "../../src/base/json.ts";
import { utf8Length } from "../../src/base/json.ts";
import type { FrameItem } from "../../src/frames/frame_stream.ts";

/** A frame as it comes out of the stream. */
export function item(frame: JsonObject): FrameItem {
  return {
    kind: "frame",
    frame,
    type: typeof frame.type === "string" ? frame.type : null,
    bytes: utf8Length(JSON.stringify(frame)),
    terminated: true,
  };
}

/** A valid success result. */
export function result(more: JsonObject = {}): JsonObject {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "the answer",
    session_id: "11111111-1111-4111-8111-111111111111",
    total_cost_usd: 0.25,
    permission_denials: [],
    ...more,
  };
}

/** A follow-up result of a background task. */
export function followUp(more: JsonObject = {}): JsonObject {
  return result({ result: "later", origin: { kind: "task-notification" }, ...more });
}

/** The first frame of a turn. */
export function init(more: JsonObject = {}): JsonObject {
  return {
    type: "system",
    subtype: "init",
    session_id: "11111111-1111-4111-8111-111111111111",
    permissionMode: "dontAsk",
    ...more,
  };
}

/** An assistant frame with one text block. */
export function says(text: string, more: JsonObject = {}): JsonObject {
  return {
    type: "assistant",
    message: { id: "m1", model: "claude", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    ...more,
  };
}

/** An assistant frame that asks for a tool. */
export function toolUse(id: string, name: string): JsonObject {
  return { type: "assistant", message: { content: [{ type: "tool_use", id, name, input: {} }] } };
}

/** The user frame that ends a tool call. */
export function toolResult(id: string): JsonObject {
  return { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id }] } };
}
