/**
 * Everything a run's stream has said, folded frame by frame into bounded state. Pure: no I/O, no clock.
 *
 * @module
 */
import { cutText, type JsonObject, jsonText } from "../base/json.ts";
import {
  MAX_FINAL_EVENT_BYTES,
  MAX_FOLLOWUP_TEXT_BYTES,
  MAX_FOLLOWUPS,
  MAX_FRAME_BYTES,
} from "../base/limits.ts";
import { type NativeResult, readInit, readResult, readSessionId } from "../frames/native.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import type { Sha256 } from "../supervision/ports.ts";
import { Activity } from "./activity.ts";
import { BackgroundTasks } from "./background_tasks.ts";
import { EventRing } from "./event_ring.ts";
import { FailureWatch } from "./failure_watch.ts";
import type { Cause } from "./outcome.ts";
import { denialsOf, judgeResult, type PrimaryResult } from "./primary_result.ts";
import type { FollowUp } from "./values.ts";
import type { FailureLatch } from "./verdict.ts";

/** Native ids are UUIDs; anything longer is no id to keep. */
const MAX_SESSION_ID_CHARS = 256;

/** How strictly a stream is read. */
export interface RecordOptions {
  /** A frame past the byte bound becomes an omitted event, or ends the run. Default: `skip`. */
  readonly oversizedFrames?: "skip" | "fail";
  readonly sha256: Sha256;
}

/** The state that a run's frames leave behind. */
export class RunRecord {
  readonly events: EventRing = new EventRing();
  readonly background: BackgroundTasks = new BackgroundTasks();
  readonly activity: Activity;
  readonly #options: RecordOptions;
  readonly #followups: FollowUp[] = [];
  #primary: PrimaryResult | null = null;
  #finalEvent: JsonObject | null = null;
  #sessionId: string | null = null;
  #permissionMode: string | null = null;
  #costUsd: number | null = null;
  #denials: readonly JsonObject[] = [];
  readonly #failures = new FailureWatch();
  #brokenTail: string | null = null;

  /** Starts an empty record; `now` is in milliseconds. */
  constructor(options: RecordOptions, now: number) {
    this.#options = options;
    this.activity = new Activity("starting", now);
  }

  /** The first valid primary result. It survives every later failure. */
  get primary(): PrimaryResult | null {
    return this.#primary;
  }

  /** The primary result as it came, unless it was too large. */
  get finalEvent(): JsonObject | null {
    return this.#finalEvent;
  }

  /** The native session, as the CLI last reported it. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** The permission mode that the CLI reported. */
  get permissionMode(): string | null {
    return this.#permissionMode;
  }

  /** The cost of the last result: a running total of the process, never to be summed. */
  get costUsd(): number | null {
    return this.#costUsd;
  }

  /** The permission denials of the last result that listed any. */
  get denials(): readonly JsonObject[] {
    return this.#denials;
  }

  /** The last follow-up results, oldest first. */
  get followups(): readonly FollowUp[] {
    return this.#followups;
  }

  /** The text of the last follow-up, when that turn failed. */
  get failedFollowUp(): string | null {
    const last = this.#followups.at(-1);
    return last?.is_error === true ? last.result ?? last.subtype : null;
  }

  /** What the stream ended in, when that was neither a frame nor blank. */
  get brokenTail(): string | null {
    return this.#brokenTail;
  }

  /** What the frames said about failures. */
  get failures(): FailureLatch {
    return this.#failures.latch;
  }

  /**
   * Takes the next item of the stream; returns the fault it is, or `null`.
   *
   * A fault ends the run, but the record goes on taking items: the answer may still be on its way.
   */
  observe(item: FrameItem, now: number): Cause | null {
    switch (item.kind) {
      case "blank":
        return null;
      case "malformed":
        return this.#malformed(item);
      case "oversized":
        return this.#oversized(item);
      case "frame":
        return this.#frame(item, now);
    }
  }

  #malformed(item: FrameItem & { kind: "malformed" }): Cause | null {
    if (!item.terminated) {
      this.#brokenTail = item.quote;
      return null; // what it means depends on how the process ended
    }
    const what = item.reason === "not_object" ? "a JSON value that is no object" : "no JSON";
    return {
      code: "invalid_vendor_response",
      message: `Claude Code wrote a line that is ${what}: ${item.quote}`,
    };
  }

  #oversized(item: FrameItem & { kind: "oversized" }): Cause | null {
    this.events.pushOmitted({
      omitted: true,
      reason: "frame_byte_bound",
      type: item.type,
      bytes: item.bytes,
    });
    const bound = `the bound of a frame is ${MAX_FRAME_BYTES} bytes`;
    if (item.type === "result") {
      return tooLarge(`The result event has ${item.bytes} bytes and cannot be kept: ${bound}`);
    }
    if (!item.complete) {
      return tooLarge(`The native output ended inside a frame of ${item.bytes} bytes: ${bound}`);
    }
    if (this.#options.oversizedFrames === "fail") {
      return tooLarge(
        `A frame of type '${item.type ?? "unknown"}' has ${item.bytes} bytes: ${bound}`,
      );
    }
    return null;
  }

  #frame(item: FrameItem & { kind: "frame" }, now: number): Cause | null {
    const { frame } = item;
    this.events.push(frame, item.bytes, () => ({
      type: item.type,
      sha256: this.#options.sha256(jsonText(frame)),
    }));
    this.activity.observe(frame, now);
    this.#failures.observe(frame);
    switch (item.type) {
      case "result":
        return this.#result(frame, item.bytes, now);
      case "system":
        this.#system(frame, now);
        return null;
      default:
        return null;
    }
  }

  /** The session is taken from `system` frames: they come first, and an init comes with every turn. */
  #system(frame: JsonObject, now: number): void {
    const open = this.background.open;
    this.background.observe(frame);
    if (this.#primary !== null && (open > 0 || this.background.open > 0)) {
      this.activity.set(this.#afterAnswer(), now);
    }
    const init = readInit(frame);
    this.#permissionMode = init?.permissionMode ?? this.#permissionMode;
    const id = readSessionId(frame);
    if (id !== null && id !== "" && (this.#sessionId === null || init !== null)) {
      this.#sessionId = id.slice(0, MAX_SESSION_ID_CHARS);
    }
  }

  #result(event: JsonObject, bytes: number, now: number): Cause | null {
    const native = readResult(event)!;
    const reading = judgeResult(native);
    if (reading.kind === "invalid") {
      return {
        code: "invalid_vendor_response",
        message: `Claude Code wrote an invalid result event: ${reading.reason}`,
      };
    }
    if (reading.kind === "primary" && this.#primary !== null) {
      return {
        code: "invalid_vendor_response",
        message:
          "Claude Code wrote a second result event that no background task explains; the first one is kept",
      };
    }
    this.#costUsd = native.totalCostUsd ?? this.#costUsd;
    const denials = denialsOf(native);
    if (reading.kind === "followup") {
      this.#denials = denials.length > 0 ? denials : this.#denials;
      this.#followUp(native);
      return null;
    }
    this.#primary = reading.result;
    this.#denials = denials;
    this.#sessionId = reading.result.sessionId;
    this.activity.set(this.#afterAnswer(), now);
    if (bytes > MAX_FINAL_EVENT_BYTES) {
      return {
        code: "result_too_large",
        message:
          `The result event has ${bytes} bytes, and the bound is ${MAX_FINAL_EVENT_BYTES}: ask for a shorter answer, or have it written to a file`,
      };
    }
    this.#finalEvent = event;
    return null;
  }

  #followUp(native: NativeResult): void {
    this.#followups.push({
      result: native.result === null ? null : cutText(native.result, MAX_FOLLOWUP_TEXT_BYTES),
      subtype: (native.subtype ?? "").slice(0, 100),
      is_error: native.isError === true,
    });
    if (this.#followups.length > MAX_FOLLOWUPS) this.#followups.shift();
  }

  #afterAnswer(): string {
    const open = this.background.open;
    if (open === 0) return "answered, ending";
    const first = this.background.firstDescription;
    return `answered, waiting for ${open} background task${open === 1 ? "" : "s"} (${first})`;
  }
}

function tooLarge(message: string): Cause {
  return { code: "frame_too_large", message };
}
