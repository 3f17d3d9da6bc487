/**
 * What the frames say about failures, before any result does.
 *
 * @module
 */
import { type JsonObject, stringMember } from "../base/json.ts";
import { readAssistantError, readRateLimit } from "../frames/native.ts";
import type { FailureLatch } from "./verdict.ts";

/** Follows the frames of one run or round. */
export class FailureWatch {
  #errorWord: string | null = null;
  #apiStatus: number | null = null;
  #limitResetsAt: number | null = null;
  #limitRejected = false;

  /** For the verdict. */
  get latch(): FailureLatch {
    return {
      errorWord: this.#errorWord,
      limitResetsAt: this.#limitResetsAt,
      limitRejected: this.#limitRejected,
    };
  }

  /** The HTTP status of the last API error message; results have it since 2.1.200, these since 2.1.300. */
  get apiStatus(): number | null {
    return this.#apiStatus;
  }

  /** Takes note of a frame; frames of other kinds and shapes change nothing. */
  observe(frame: JsonObject): void {
    if (frame.type === "assistant") this.#assistant(frame);
    else if (frame.type === "rate_limit_event") {
      const limit = readRateLimit(frame);
      this.#limitRejected = limit?.status === "rejected";
      this.#limitResetsAt = limit?.resetsAt ?? this.#limitResetsAt;
    }
  }

  /**
   * Latches the error word of the main conversation. A sub-agent's failure is not the run's (measured: its
   * `authentication_failed` and a success), and a model that speaks again has overcome what failed before.
   */
  #assistant(frame: JsonObject): void {
    if (stringMember(frame, "parent_tool_use_id") !== null) return;
    const error = readAssistantError(frame);
    this.#errorWord = error?.error ?? null;
    this.#apiStatus = error?.status ?? null;
  }
}
