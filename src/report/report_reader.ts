/**
 * Events to a {@linkcode Report}: takes one after the other and keeps only what a page shows.
 *
 * @module
 */
import {
  arrayMember,
  isObject,
  type JsonObject,
  type JsonValue,
  numberMember,
  objectMember,
  stringMember,
} from "../base/json.ts";
import { MAX_REPORT_DEPTH, MAX_REPORT_ENTRIES } from "../base/limits.ts";
import type { FrameItem } from "../frames/frame_stream.ts";
import {
  isFollowUp,
  readApiRetry,
  readPermissionDenied,
  readResult,
  readTask,
} from "../frames/native.ts";
import { isSettledLine, isStartedLine } from "../runs/event_lines.ts";
import { AgentBook } from "./agent_book.ts";
import { Conversation } from "./conversation.ts";
import { DenialBook } from "./denial_book.ts";
import { readEnding } from "./ending.ts";
import { EntryBook } from "./entry_book.ts";
import { shortName } from "./names.ts";
import { type Happening, readLimit, readSystem } from "./happenings.ts";
import type { NoticeEntry, Report, Span, TurnEntry } from "./report.ts";
import { readTime, RunClock } from "./run_clock.ts";
import { NO_SETUP, readSetup } from "./setup.ts";
import { SpendingBook } from "./spending.ts";
import { TypeCounts, typeName } from "./type_counts.ts";
import { sizeText } from "./wording.ts";

/** What reading a file adds. */
export interface ReadFacts {
  readonly bytes: number;
  /** Reading stopped at a bound. */
  readonly isStopped: boolean;
}

/** Reads the events of one run, once. */
export class ReportReader {
  readonly #clock = new RunClock();
  readonly #book: EntryBook;
  readonly #agents: AgentBook;
  readonly #conversation: Conversation;
  readonly #types = new TypeCounts();
  readonly #spending = new SpendingBook();
  readonly #denials: DenialBook;
  readonly #retrySpans: Span[] = [];
  #retries = 0;
  #turnsMs: number | null = null;
  #primary: JsonObject | null = null;
  #settled: JsonObject | null = null;
  #setup = NO_SETUP;
  #events = 0;
  #malformed = 0;
  #firstMalformed: string | null = null;
  #isTruncated = false;
  #oversized = 0;
  #isAsked = false;
  #missing = 0;

  /** @param maxEntries How many entries the page may have. */
  constructor(maxEntries: number = MAX_REPORT_ENTRIES) {
    this.#book = new EntryBook(this.#clock, maxEntries);
    this.#agents = new AgentBook(this.#book, this.#clock);
    this.#conversation = new Conversation(this.#book, this.#agents, this.#clock);
    this.#denials = new DenialBook(this.#book.budget, (id) => this.#conversation.denied(id));
  }

  /** Whether anything was taken that a report can be made of. */
  get isEmpty(): boolean {
    return this.#types.known === 0 && this.#settled === null && !this.#isAsked;
  }

  /** Events so far, of known types and others. */
  get events(): number {
    return this.#events;
  }

  /** Events that were too large. */
  get oversized(): number {
    return this.#oversized;
  }

  /** Lines that are no JSON object, and the first of them. */
  get malformed(): { readonly count: number; readonly first: string | null } {
    return { count: this.#malformed, first: this.#firstMalformed };
  }

  /** Takes a line. */
  take(item: FrameItem): void {
    if (item.kind === "frame") return this.takeValue(item.frame);
    if (item.kind === "oversized") return this.#tooLarge(item.type, item.bytes);
    if (item.kind !== "malformed") return;
    if (!item.terminated && this.#events > 0) this.#isTruncated = true;
    else {
      this.#malformed += 1;
      this.#firstMalformed ??= item.quote;
    }
  }

  /**
   * Takes a value: an event, a settled run with its events, a page of events, the answer of a tool that holds one of
   * these, or a list of events.
   */
  takeValue(value: JsonValue, depth: number = 0): void {
    if (Array.isArray(value)) {
      for (const one of value) if (isObject(one)) this.takeValue(one, depth + 1);
      return;
    }
    if (!isObject(value) || depth > MAX_REPORT_DEPTH) return;
    if (value.omitted === true && typeof value.reason === "string") {
      return this.#tooLarge(stringMember(value, "type"), numberMember(value, "bytes"));
    }
    if (isStartedLine(value)) {
      this.#isAsked = true;
      return this.#conversation.asked(value.prompt);
    }
    if (isSettledLine(value)) return this.#settle(value);
    if (typeof value.type !== "string") {
      const inner = objectMember(value, "structuredContent") ?? objectMember(value, "event") ??
        objectMember(value, "result");
      if (Array.isArray(value.events) || typeof value.run_id === "string") {
        return this.#settle(value);
      }
      if (inner !== null) return this.takeValue(inner, depth + 1);
    }
    this.#event(value);
  }

  #event(frame: JsonObject): void {
    this.#events += 1;
    this.#clock.next(frame.timestamp);
    const type = typeof frame.type === "string" ? frame.type : "";
    const known = Object.hasOwn(this.#readers, type) && this.#readers[type]?.(frame) !== false;
    this.#types.add(typeName(frame), known);
  }

  /** What reads each type; `false` when it does not know the event after all. */
  readonly #readers: { readonly [type: string]: (frame: JsonObject) => boolean | void } = {
    assistant: (frame) => this.#conversation.assistant(frame),
    user: (frame) => this.#conversation.user(frame),
    stream_event: (frame) => this.#conversation.streamed(frame),
    result: (frame) => this.#result(frame),
    rate_limit_event: (frame) => this.#notice(readLimit(frame)),
    system: (frame) => this.#system(frame),
  };

  #system(frame: JsonObject): boolean {
    const reading = readSystem(frame);
    const task = readTask(frame);
    if (task !== null) {
      this.#clock.observe(readTime(objectMember(frame, "patch")?.end_time));
      const id = task.toolUseId;
      if (id !== null && task.backgrounded === true) this.#agents.beginTask(id);
      if (id !== null && task.kind === "ended") this.#agents.endTask(id, task.status);
    }
    const denied = readPermissionDenied(frame);
    if (denied !== null) this.#denials.add([frame]);
    this.#setup = readSetup(this.#setup, frame);
    const subtype = stringMember(frame, "subtype");
    // Measured: the CLI says so before each of the run's own requests, and not for sub-agents.
    if (subtype === "status" && frame.status === "requesting") {
      this.#agents.main.since = this.#clock.now;
    }
    this.#notice(reading ?? null);
    if (subtype === "api_retry") this.#retry(frame);
    return reading !== undefined;
  }

  #retry(frame: JsonObject): void {
    this.#retries += 1;
    const start = this.#clock.now;
    this.#clock.wait(readApiRetry(frame)?.delayMs ?? null);
    // With a tool running, the one who waits may be a sub-agent.
    if (!this.#agents.isToolOpen) this.#agents.main.since = this.#clock.now;
    if (this.#retrySpans.length >= MAX_REPORT_ENTRIES) return;
    this.#retrySpans.push({
      kind: "retry",
      label: "Waiting to ask again",
      depth: 0,
      start,
      end: this.#clock.now,
      fault: null,
      entry: null,
      parent: null,
      tokens: null,
    });
  }

  #result(frame: JsonObject): void {
    const result = readResult(frame);
    if (result === null) return;
    const { main } = this.#agents;
    this.#agents.endCall(main);
    main.since = null;
    const followUp = isFollowUp(result);
    if (!followUp) this.#primary = frame;
    this.#spending.take(frame);
    const durationMs = numberMember(frame, "duration_ms");
    if (durationMs !== null && durationMs >= 0) this.#turnsMs = (this.#turnsMs ?? 0) + durationMs;
    this.#denials.add(result.permissionDenials);
    if (!this.#book.hasRoom()) return;
    const text = result.result ?? result.errors.join("\n");
    this.#book.add<TurnEntry>(this.#book.root, {
      kind: "turn",
      isError: result.isError !== false,
      subtype: shortName(result.subtype ?? "no subtype"),
      isFollowUp: followUp,
      durationMs,
      turns: result.numTurns,
      text: text === "" ? null : this.#book.budget.keep(text, TURN_TEXT_CHARS),
    });
  }

  #settle(value: JsonObject): void {
    // The settled value stands at the top of the line, or in a member of it.
    const inner = ["value", "settled", "result", "run"].map((key) => objectMember(value, key));
    const settled = "run_id" in value || "state" in value
      ? value
      : inner.find((one) => one !== null) ?? value;
    if (typeof settled.run_id === "string" || typeof settled.state === "string") {
      this.#settled = settled;
    }
    // A file of events has them before its last line; a settled value alone has them inside.
    if (this.#events === 0) {
      this.takeValue(arrayMember(settled, "events"), 1);
      const page = objectMember(settled, "event_page") ?? settled;
      const seen = numberMember(page, "observed_events") ?? 0;
      this.#missing += Math.max(0, seen - this.#events - this.#oversized);
    }
    const final = objectMember(settled, "final_event");
    if (final !== null && this.#primary === null) this.#event(final);
  }

  #tooLarge(type: string | null, bytes: number | null): void {
    this.#oversized += 1;
    this.#notice({
      tone: "warn",
      title: `An event is not here: ${shortName(type ?? "of an unknown type")}`,
      text: bytes === null ? null : `It had ${sizeText(bytes)}.`,
    });
  }

  #notice(happening: Happening | null): void {
    if (happening === null || !this.#book.hasRoom()) return;
    const { tone, title, text } = happening;
    this.#book.add<NoticeEntry>(this.#book.root, {
      kind: "notice",
      tone,
      title,
      text: text === null ? null : this.#book.budget.keep(text),
    });
  }

  /** Makes the report. The reader is of no use afterwards. */
  finish(facts: ReadFacts): Report {
    this.#conversation.finish();
    const spans = this.#agents.finish();
    const settled = this.#settled;
    this.#denials.add(arrayMember(settled?.permission_denials, "list"));
    const counted = numberMember(settled?.permission_denials, "count") ?? 0;
    const budget = this.#book.budget;
    const ending = readEnding({
      primary: this.#primary,
      settled,
      keep: (text, max) => budget.keep(text, max),
    });
    return {
      ending,
      setup: this.#setup,
      spending: this.#spending.finish(this.#agents.uses, numberMember(settled, "total_cost_usd")),
      entries: this.#book.root,
      spans: [...spans, ...this.#retrySpans],
      denials: this.#denials.list,
      counts: {
        modelCalls: this.#agents.modelCalls,
        toolCalls: this.#conversation.toolCalls,
        failedTools: this.#conversation.failedTools,
        agents: this.#agents.agents,
        retries: this.#retries,
        denials: Math.max(this.#denials.count, counted),
      },
      time: this.#clock.bounds,
      turnsMs: this.#turnsMs,
      reading: {
        events: this.#events,
        bytes: facts.bytes,
        types: this.#types.all,
        unknown: this.#types.unknown,
        malformed: this.#malformed,
        firstMalformed: this.#firstMalformed,
        isTruncated: this.#isTruncated,
        oversized: this.#oversized,
        missing: this.#missing,
        entriesLeftOut: this.#book.leftOut,
        textLeftOut: budget.omitted,
        isStopped: facts.isStopped,
      },
    };
  }
}

/** The end of a turn repeats what was said, so its beginning is enough. */
const TURN_TEXT_CHARS = 2_000;
