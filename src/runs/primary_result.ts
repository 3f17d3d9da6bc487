/**
 * The one result event that is the answer, and the follow-ups that are not.
 *
 * @module
 */
import { isObject, type JsonObject } from "../base/json.ts";
import { isFollowUp, type NativeResult } from "../frames/native.ts";

/** A valid primary result. */
export interface PrimaryResult {
  readonly isError: boolean;
  readonly subtype: string;
  readonly sessionId: string;
  /** The answer; `null` on error subtypes, which have no `result` member. */
  readonly text: string | null;
  readonly errors: readonly string[];
  readonly terminalReason: string | null;
  readonly apiErrorStatus: number | null;
  /** `usage_limit_reached` when the account's own limit refused the request. */
  readonly apiErrorKind: string | null;
}

/** What a `result` event is. */
export type ResultReading =
  | { readonly kind: "primary"; readonly result: PrimaryResult }
  /** A turn the CLI added when a background task ended: `origin.kind` is `task-notification`. */
  | { readonly kind: "followup" }
  | { readonly kind: "invalid"; readonly reason: string };

/** Judges a result event; says what is wrong with one that is not valid. */
export function judgeResult(native: NativeResult): ResultReading {
  if (isFollowUp(native)) return { kind: "followup" };
  const { isError, subtype, sessionId, result: text } = native;
  if (isError === undefined) return invalid("'is_error' is not a boolean");
  if (subtype === null || subtype === "") return invalid("'subtype' is not a non-empty string");
  if (sessionId === null || sessionId === "") {
    return invalid("'session_id' is not a non-empty string");
  }
  if (!isError && subtype !== "success") {
    return invalid(`'is_error' is false but 'subtype' is '${subtype.slice(0, 100)}'`);
  }
  if (!isError && text === null) return invalid("'result' is not text");
  const { errors, terminalReason, apiErrorStatus, apiErrorKind } = native;
  return {
    kind: "primary",
    result: {
      isError,
      subtype,
      sessionId,
      text,
      errors,
      terminalReason,
      apiErrorStatus,
      apiErrorKind,
    },
  };
}

/** The permission denials that a result lists. */
export function denialsOf(native: NativeResult): readonly JsonObject[] {
  return native.permissionDenials.filter(isObject);
}

function invalid(reason: string): ResultReading {
  return { kind: "invalid", reason };
}
