/**
 * Who speaks: the run itself, or a sub-agent that a tool call started.
 *
 * @module
 */
import { MAX_REPORT_DEPTH, MAX_REPORT_LIST, MAX_REPORT_SPANS } from "../base/limits.ts";
import type { EntryBook } from "./entry_book.ts";
import { shortName } from "./names.ts";
import type { CallTokens, Entry, Span, ToolEntry } from "./report.ts";
import type { Mark, RunClock } from "./run_clock.ts";

/** A request to the model and its answer. */
interface ModelCall {
  readonly id: string;
  readonly model: string;
  readonly start: Mark;
  end: Mark;
  input: number;
  output: number;
  /** The output was counted at the end of the message. */
  isCounted: boolean;
  entry: number | null;
}

/** One speaker. */
export interface Agent {
  /** 0 for the run itself. */
  readonly depth: number;
  /** The entry of the tool call that started it. */
  readonly parent: number | null;
  /** Where its entries go. */
  readonly list: Entry[];
  /** Since when the model has had what it needs for its next answer; `null` when nobody knows. */
  since: Mark | null;
  call: ModelCall | null;
}

/** A tool call and the span it becomes. */
interface ToolCall {
  readonly entry: ToolEntry;
  /** Where the entry is. */
  readonly list: Entry[];
  readonly depth: number;
  readonly parent: number | null;
  /** It started a sub-agent. */
  isAgent: boolean;
  /** A task that outlived the call's result is still open. */
  isTaskOpen: boolean;
}

/** The usage of a model call, as far as it is known. */
export interface CallUse {
  /** It is the count at the end of the message. */
  readonly isFinal: boolean;
  readonly input: number;
  readonly output: number;
}

const FAULTS = { ok: null, open: null, error: "failed", denied: "denied" } as const;

/** Follows the speakers, their model calls and their tools. */
export class AgentBook {
  /** What was spanned so far: model calls as they end. */
  readonly spans: Span[] = [];
  /** Sub-agents seen. */
  agents = 0;
  /** Model calls seen. */
  modelCalls = 0;
  /** What every model used, by its name, from the calls. */
  readonly uses: Map<string, CallTokens> = new Map();
  readonly #main: Agent;
  readonly #byTool = new Map<string, Agent>();
  readonly #tools = new Map<string, ToolCall>();
  readonly #open = new Set<string>();
  #rest: Span | null = null;
  readonly #book: EntryBook;
  readonly #clock: RunClock;

  /** Starts with the run itself. */
  constructor(book: EntryBook, clock: RunClock) {
    this.#book = book;
    this.#clock = clock;
    this.#main = { depth: 0, parent: null, list: book.root, since: null, call: null };
  }

  /** The run itself. */
  get main(): Agent {
    return this.#main;
  }

  /** The speaker of a frame with this `parent_tool_use_id`. A parent that was never seen gets an entry of its own. */
  speaker(parent: string | null): Agent {
    if (parent === null) return this.#main;
    const known = this.#byTool.get(parent);
    if (known !== undefined) return known;
    let call = this.#tools.get(parent);
    if (call === undefined) {
      if (!this.#book.hasRoom()) return this.#main;
      call = this.#begin(this.#main, parent, {
        kind: "tool",
        name: "Sub-agent",
        about: "its call is not in these events",
        input: { text: "", omitted: 0 },
      });
    }
    call.isAgent = true;
    this.agents += 1;
    const isDeep = call.depth + 1 >= MAX_REPORT_DEPTH;
    const agent: Agent = {
      depth: isDeep ? call.depth : call.depth + 1,
      parent: call.entry.id,
      list: isDeep ? call.list : call.entry.children,
      since: this.#clock.now,
      call: null,
    };
    this.#byTool.set(parent, agent);
    return agent;
  }

  /** A tool call began. Call it only when the book has room. */
  openTool(agent: Agent, id: string, what: Pick<ToolEntry, "name" | "about" | "input">): void {
    this.#begin(agent, id, { kind: "tool", ...what });
  }

  #begin(
    agent: Agent,
    id: string,
    what: Pick<ToolEntry, "kind" | "name" | "about" | "input">,
  ): ToolCall {
    const entry = this.#book.add<ToolEntry>(agent.list, {
      ...what,
      result: null,
      status: "open",
      end: null,
      task: null,
      children: [],
    });
    const { list, depth, parent } = agent;
    const call = { entry, list, depth, parent, isAgent: false, isTaskOpen: false };
    // An id that comes again is another call; the first keeps what it has.
    const before = this.#tools.get(id);
    if (before !== undefined) this.#span(before);
    this.#tools.set(id, call);
    this.#open.add(id);
    return call;
  }

  /** The call with this id, or `undefined`. */
  tool(id: string): ToolEntry | undefined {
    return this.#tools.get(id)?.entry;
  }

  /** Whether any tool call has no result yet. */
  get isToolOpen(): boolean {
    return this.#open.size > 0;
  }

  /** A task of a tool call went to the background: it outlives the call's result. */
  beginTask(id: string): void {
    const call = this.#tools.get(id);
    if (call === undefined) return;
    call.isTaskOpen = true;
    call.entry.task = "running";
  }

  /** A task ended. One that never went to the background ends with its call. */
  endTask(id: string, status: string | null): void {
    const call = this.#tools.get(id);
    if (call === undefined || !call.isTaskOpen) return;
    call.isTaskOpen = false;
    call.entry.task = shortName(status ?? "ended");
    call.entry.end = this.#clock.now;
  }

  /** A tool call got its result. */
  closeTool(id: string): void {
    this.#open.delete(id);
    const call = this.#tools.get(id);
    if (call !== undefined && !call.isTaskOpen) call.entry.end = this.#clock.now;
  }

  /** Something of a message arrived: its model call began before it, and goes on at least until now. */
  heard(agent: Agent, messageId: string, model: string): void {
    const now = this.#clock.now;
    if (agent.call?.id === messageId) {
      agent.call.end = now;
      return;
    }
    this.endCall(agent);
    this.modelCalls += 1;
    agent.call = {
      id: messageId,
      model,
      start: agent.since ?? now,
      end: now,
      input: 0,
      output: 0,
      isCounted: false,
      entry: null,
    };
  }

  /** The entry that stands for the speaker's present model call, when it has none yet. */
  link(agent: Agent, entry: number): void {
    if (agent.call !== null) agent.call.entry ??= entry;
  }

  /** What a message used so far; later reports replace earlier ones. */
  used(agent: Agent, messageId: string, { input, output, isFinal }: CallUse): void {
    if (agent.call?.id !== messageId) return;
    agent.call.isCounted ||= isFinal;
    agent.call.input = Math.max(agent.call.input, input);
    agent.call.output = Math.max(agent.call.output, output);
  }

  /** The speaker's present model call is over. */
  endCall(agent: Agent): void {
    const { call } = agent;
    if (call === null) return;
    agent.call = null;
    const use = this.uses.get(call.model) ?? { input: 0, output: 0 };
    if (this.uses.has(call.model) || this.uses.size < MAX_REPORT_LIST) {
      // One answer that was not counted makes the sum unknown.
      const output = use.output === null || !call.isCounted ? null : use.output + call.output;
      this.uses.set(call.model, { input: use.input + call.input, output });
    }
    const hasUse = call.input > 0 || call.output > 0;
    this.#add({
      kind: "model",
      label: call.model,
      depth: agent.depth,
      start: call.start,
      end: call.end,
      fault: null,
      entry: call.entry,
      parent: agent.parent,
      tokens: hasUse ? { input: call.input, output: call.isCounted ? call.output : null } : null,
    });
  }

  /** Ends what is open and gives all spans in the order of their beginning. */
  finish(): readonly Span[] {
    for (const agent of [this.#main, ...this.#byTool.values()]) this.endCall(agent);
    for (const call of this.#tools.values()) this.#span(call);
    if (this.#rest !== null) this.spans.push(this.#rest);
    return this.spans.sort((a, b) => a.start.step - b.start.step);
  }

  /** Beyond the bound one span stands for the rest, so that no time looks idle which was not. */
  #add(span: Span): void {
    if (this.spans.length < MAX_REPORT_SPANS) {
      this.spans.push(span);
      return;
    }
    const { start } = this.#rest ?? span;
    this.#rest = {
      ...span,
      label: "Further model calls",
      depth: 0,
      parent: null,
      start,
      tokens: null,
    };
  }

  #span({ entry, depth, parent, isAgent }: ToolCall): void {
    this.spans.push({
      kind: isAgent ? "agent" : entry.task !== null ? "task" : "tool",
      label: entry.about === "" ? entry.name : `${entry.name} · ${entry.about}`,
      depth,
      start: entry.at,
      end: entry.end,
      fault: FAULTS[entry.status],
      entry: entry.id,
      parent,
      tokens: null,
    });
  }
}
