/**
 * Folds the frames of one round into typed updates. Pure, bounded, and never at fault: a frame that is unknown,
 * malformed, of a wrong shape or too large is counted and changes nothing else.
 *
 * @module
 */
import {
  type JsonObject,
  jsonText,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import type { FrameItem, OversizedItem } from "../frames/frame_stream.ts";
import {
  type Compaction,
  readApiRetry,
  readCompaction,
  readInit,
  readResult,
} from "../frames/native.ts";
import { BackgroundTasks } from "../runs/background_tasks.ts";
import { FailureWatch } from "../runs/failure_watch.ts";
import { denialsOf, judgeResult, type PrimaryResult } from "../runs/primary_result.ts";
import type { FailureLatch } from "../runs/verdict.ts";
import { CostMeter } from "./cost.ts";
import { BoundedCounts, type Counts } from "./frame_counts.ts";
import { compactionNotice, notice, readNotice } from "./notices.ts";
import { SpeechReader } from "./speech_reader.ts";
import type { Untimed, Update } from "./updates.ts";

/** Options of {@linkcode RoundReader}. */
export interface RoundReaderOptions {
  /** The CLI was asked to go on with a conversation that it has. */
  readonly resumed: boolean;
  /**
   * Hand on what sub-agents say. Their tool calls come in any case.
   *
   * @default {false}
   */
  readonly forwardSubagentText?: boolean;
  /** Adds up the costs. Default: one of a round of whose past nothing is known. */
  readonly costs?: CostMeter;
}

/** What the frames say about how a round went; with the exit of the process, see `roundError`. */
export interface RoundRecord {
  /** The answer's result. */
  readonly primary: PrimaryResult | null;
  /** For the verdict. */
  readonly latch: FailureLatch;
  /** The HTTP status of the last API error that the CLI reported. */
  readonly apiStatus: number | null;
  /** The text of the last follow-up turn, when that turn failed. */
  readonly failedFollowUp: string | null;
  /** A turn began, so the conversation that was asked for exists. */
  readonly started: boolean;
  /** The answer's result was too large to be read. */
  readonly lostResult: boolean;
  /** The stream ended inside a line that is no frame; quoted. */
  readonly brokenTail: string | null;
}

/** What was left out, by type. */
export interface RoundCounts {
  /** Frames that mean nothing to a reader, such as `system/status` or a block of an unknown type. */
  readonly ignored: Counts;
  /** Lines that are no frames, and results that are none. */
  readonly malformed: Counts;
  /** Frames past the byte bound. */
  readonly oversized: Counts;
}

/** Reads one round. */
export class RoundReader {
  readonly #options: RoundReaderOptions;
  readonly #costs: CostMeter;
  readonly #ignored = new BoundedCounts();
  readonly #malformed = new BoundedCounts();
  readonly #oversized = new BoundedCounts();
  readonly #failures = new FailureWatch();
  readonly #tasks = new BackgroundTasks();
  readonly #speech: SpeechReader;
  #turn = 0;
  /** Something of the turn was said already. */
  #busy = false;
  #results = 0;
  #session: string | null = null;
  #primary: PrimaryResult | null = null;
  #failedFollowUp: string | null = null;
  #started = false;
  #lostResult = false;
  #isCompacting = false;
  #brokenTail: string | null = null;

  /** Starts before the first frame. */
  constructor(options: RoundReaderOptions) {
    this.#options = options;
    this.#costs = options.costs ??
      new CostMeter({ start: options.resumed ? "resumed" : "fresh", before: null });
    this.#speech = new SpeechReader({
      forwardSubagentText: options.forwardSubagentText ?? false,
      ignore: (label) => this.#ignored.add(label),
    });
  }

  /** The costs so far; its `state` is what to remember for the next round. */
  get costs(): CostMeter {
    return this.#costs;
  }

  /** What the frames said so far about how the round went. */
  get record(): RoundRecord {
    return {
      primary: this.#primary,
      latch: this.#failures.latch,
      apiStatus: this.#failures.apiStatus,
      failedFollowUp: this.#failedFollowUp,
      started: this.#started,
      lostResult: this.#lostResult,
      brokenTail: this.#brokenTail,
    };
  }

  /** What was left out so far. */
  get counts(): RoundCounts {
    const [ignored, malformed, oversized] = [this.#ignored, this.#malformed, this.#oversized];
    return { ignored: ignored.value, malformed: malformed.value, oversized: oversized.value };
  }

  /**
   * What is at work while nothing is said, or `null`: silence is no sign of a fault then. Background tasks count, because
   * the CLI waits for them after its answer (measured: 600 s).
   */
  get busyWith(): "a tool" | "a background task" | "the compaction" | null {
    if (this.#speech.openTools > 0) return "a tool";
    if (this.#tasks.open > 0) return "a background task";
    return this.#isCompacting ? "the compaction" : null;
  }

  /** Takes the next item of the stream; returns what it tells, in order. Never throws. */
  read(item: FrameItem): readonly Update[] {
    switch (item.kind) {
      case "blank":
        return [];
      case "malformed":
        if (!item.terminated) this.#brokenTail = item.quote;
        this.#malformed.add(item.terminated ? item.reason : "broken_tail");
        return [];
      case "oversized":
        return this.#oversize(item);
      case "frame":
        return this.#frame(item.frame);
    }
  }

  #oversize(item: OversizedItem): Update[] {
    const type = item.type ?? "unknown";
    this.#oversized.add(type);
    if (item.type === "result" && this.#primary === null) this.#lostResult = true;
    if (item.type === "user") this.#speech.closeTools(); // it may have been the result that is waited for
    const said = item.type === "assistant" ? this.#speech.lostBlock() : [];
    const omitted = notice("omitted", `A frame of type '${type}' has ${item.bytes} bytes`, {
      type,
      bytes: item.bytes,
    });
    return this.#timed([...said, omitted]);
  }

  #frame(frame: JsonObject): Update[] {
    this.#failures.observe(frame);
    switch (frame.type) {
      case "system":
        return this.#system(frame);
      case "result":
        return this.#result(frame);
      case "assistant":
      case "user":
      case "stream_event": {
        const updates = this.#speech.read(frame);
        if (stringMember(frame, "parent_tool_use_id") === null) this.#speaks();
        return this.#timed(updates);
      }
      default:
        return this.#tell(frame);
    }
  }

  #system(frame: JsonObject): Update[] {
    this.#tasks.observe(frame);
    const init = readInit(frame);
    if (init !== null) return this.#init(init.sessionId, init.model);
    const compaction = readCompaction(frame);
    if (compaction !== null) return this.#compaction(compaction);
    const retry = readApiRetry(frame);
    return retry === null ? this.#tell(frame) : this.#timed([{ kind: "retry", ...retry }]);
  }

  #compaction(step: Compaction): Update[] {
    const isNew = step.kind !== "started" || !this.#isCompacting;
    this.#isCompacting = step.kind === "started";
    return isNew ? this.#timed([compactionNotice(step)]) : [];
  }

  #tell(frame: JsonObject): Update[] {
    const told = readNotice(frame);
    if (told !== null) return this.#timed([told]);
    const subtype = stringMember(frame, "subtype");
    const type = stringMember(frame, "type") ?? "(no type)";
    this.#ignored.add(subtype === null ? type : `${type}/${subtype}`);
    return [];
  }

  /** An init comes with every turn (measured), and before the results that the CLI still holds back. */
  #init(id: string | null, model: string | null): Update[] {
    if (this.#busy) this.#turn += 1;
    this.#turn = Math.max(this.#turn, this.#results);
    this.#busy = false;
    this.#started = true;
    const session = jsonText([id, model]);
    if (id === null || session === this.#session) return [];
    this.#session = session;
    return this.#timed([{ kind: "session", id, model, resumed: this.#options.resumed }]);
  }

  /** Takes note that the main conversation goes on. After a turn's result it is the next turn's, init or not. */
  #speaks(): void {
    this.#turn = Math.max(this.#turn, this.#results);
    this.#busy = true;
    this.#isCompacting = false;
  }

  #result(frame: JsonObject): Update[] {
    const native = readResult(frame)!;
    const reading = judgeResult(native);
    if (reading.kind === "invalid") {
      this.#malformed.add("result");
      return [];
    }
    // Before 2.1.200 nothing marks a follow-up, but it never comes first.
    const followUp = reading.kind === "followup" || this.#primary !== null;
    const { subtype, result: text, isError = true, errors, sessionId } = native;
    if (reading.kind === "primary" && !followUp) this.#primary = reading.result;
    if (followUp) this.#failedFollowUp = isError ? text ?? errors.join("; ") : null;
    const turn = followUp ? Math.max(1, this.#results) : 0;
    this.#results = Math.max(this.#results, turn + 1);
    this.#isCompacting = false;
    if (this.#results > this.#turn) this.#speech.closeTools();
    return [{
      kind: "result",
      turn,
      followUp,
      isError,
      subtype: subtype ?? "",
      text,
      errors,
      sessionId,
      ...this.#costs.observe(frame, sessionId),
      usage: objectMember(frame, "usage"),
      modelUsage: objectMember(frame, "model_usage_since_last_result"),
      durationMs: numberMember(frame, "duration_ms"),
      turns: numberMember(frame, "num_turns"),
      denials: denialsOf(native).length,
    }];
  }

  #timed(updates: readonly Untimed[]): Update[] {
    return updates.map((update) => ({ ...update, turn: this.#turn }));
  }
}
