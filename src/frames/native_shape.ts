/**
 * What the readers of native frames share.
 *
 * @module
 */
import { arrayMember, isObject, type JsonObject } from "../base/json.ts";

/** Whether a frame is the `system` frame of this subtype. */
export function isSystem(frame: JsonObject, subtype: string): boolean {
  return frame.type === "system" && frame.subtype === subtype;
}

/** The content blocks of the message that a frame carries. */
export function contentBlocks(frame: JsonObject): readonly JsonObject[] {
  return arrayMember(frame.message, "content").filter(isObject);
}
