/**
 * What a live run is doing, in one short line.
 *
 * @module
 */
import { type JsonObject, objectMember, stringMember } from "../base/json.ts";
import { visible } from "../base/visible.ts";
import { readApiRetry, readToolResults, readToolUses } from "../frames/native.ts";

interface OpenTool {
  readonly name: string;
  readonly since: number;
}

/** Tools remembered at once; the CLI runs a handful in parallel. */
const MAX_OPEN_TOOLS = 64;
const MAX_NAME_CHARS = 60;

/** Follows the frames of one run. Times are milliseconds of one clock, passed in. */
export class Activity {
  readonly #tools = new Map<string, OpenTool>();
  #what: string;
  #since: number;

  /** Starts with what the run does before its first frame. */
  constructor(what: string, now: number) {
    this.#what = what;
    this.#since = now;
  }

  /** Says directly what the run does now. */
  set(what: string, now: number): void {
    const shown = visible(what); // descriptions of tasks are the model's own words
    if (shown === this.#what) return;
    this.#what = shown;
    this.#since = now;
  }

  /** Takes note of a frame; frames of unknown kinds and shapes change nothing. */
  observe(frame: JsonObject, now: number): void {
    switch (frame.type) {
      case "system":
        this.#system(frame, now);
        break;
      case "stream_event":
        this.#streamEvent(objectMember(frame, "event"), now);
        break;
      case "assistant":
        for (const { id, name } of readToolUses(frame)) {
          if (this.#tools.size >= MAX_OPEN_TOOLS) break;
          this.#tools.set(id, { name: visible(name.slice(0, MAX_NAME_CHARS)), since: now });
        }
        break;
      case "user":
        for (const { toolUseId } of readToolResults(frame)) this.#tools.delete(toolUseId);
        if (this.#tools.size === 0) this.set("waiting for the model", now);
        break;
    }
  }

  /** What the run is doing, without for how long. */
  get what(): string {
    const { value: oldest } = this.#tools.values().next();
    if (oldest === undefined) return this.#what;
    const others = this.#tools.size === 1 ? "" : ` and ${this.#tools.size - 1} more`;
    return `running ${oldest.name}${others}`;
  }

  /** The line: what, and for how long. */
  line(now: number): string {
    const { value: oldest } = this.#tools.values().next();
    return `${this.what} for ${seconds(now - (oldest?.since ?? this.#since))}`;
  }

  #system(frame: JsonObject, now: number): void {
    if (frame.subtype === "init" || frame.subtype === "status") {
      this.set("waiting for the model", now);
      return;
    }
    const retry = readApiRetry(frame);
    if (retry === null) return;
    const why = retry.error?.slice(0, MAX_NAME_CHARS) ?? "error";
    const attempt = `attempt ${retry.attempt ?? "?"} of ${retry.maxRetries ?? "?"}`;
    this.set(`waiting to retry the API (${why}, ${attempt})`, now);
  }

  #streamEvent(event: JsonObject | null, now: number): void {
    if (event?.type !== "content_block_start") return;
    switch (stringMember(objectMember(event, "content_block"), "type")) {
      case "thinking":
        return this.set("thinking", now);
      case "text":
        return this.set("writing", now);
      case "tool_use":
        return this.set("preparing a tool call", now);
    }
  }
}

function seconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000));
  return whole < 120 ? `${whole} s` : `${Math.floor(whole / 60)} min`;
}
