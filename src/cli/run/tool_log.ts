/**
 * The tool calls of a run: which are under way, and a line for each that has ended. Pure.
 *
 * @module
 */
import type { ToolCallUpdate, ToolResultUpdate } from "../../threads/updates.ts";
import { duration } from "./amounts.ts";
import type { LineKind, LinePiece } from "./piece.ts";
import { describeInput, firstLineOf, toolName } from "./tool_text.ts";

/** Calls that are under way, and calls of sub-agents whose own calls may still come. */
const MAX_CALLS = 4_096;

interface Call {
  readonly name: string;
  readonly detail: string;
  readonly parent: string | null;
  readonly depth: number;
  readonly since: number;
  refused: boolean;
  over: boolean;
}

/** A call that is under way. */
export interface RunningCall {
  readonly name: string;
  readonly detail: string;
  readonly since: number;
}

/** Follows the calls of one run. Times are milliseconds of one clock, passed in. */
export class ToolLog {
  readonly #calls = new Map<string, Call>();
  #count = 0;
  #context: string | null = null;

  /** Calls so far, sub-agents' included. */
  get count(): number {
    return this.#count;
  }

  /** Calls under way, oldest first. */
  get running(): readonly RunningCall[] {
    return [...this.#calls.values()].filter((call) => !call.over);
  }

  /** A call began. Nothing is shown of it before it ends. */
  begin({ id, name, input, parentToolUseId }: ToolCallUpdate, now: number): void {
    this.#count += 1;
    const parent = parentToolUseId === null ? undefined : this.#calls.get(parentToolUseId);
    this.#calls.set(id, {
      name: toolName(name),
      detail: describeInput(input),
      parent: parentToolUseId,
      depth: parentToolUseId === null ? 0 : (parent?.depth ?? 0) + 1,
      since: now,
      refused: false,
      over: false,
    });
    if (this.#calls.size <= MAX_CALLS) return;
    for (const [oldest, { over }] of this.#calls) {
      if (over) return void this.#calls.delete(oldest);
    }
  }

  /** A call was refused; its result follows. Returns whether it is known. */
  refuse(id: string): boolean {
    const call = this.#calls.get(id);
    if (call !== undefined) call.refused = true;
    return call !== undefined;
  }

  /** A call ended: its line, after the line of the sub-agent it belongs to where that is not the last one shown. */
  end({ id, isError, content }: ToolResultUpdate, now: number): readonly LinePiece[] {
    const call = this.#calls.get(id);
    if (call === undefined || call.over) return [];
    call.over = true;
    const line: LineKind = call.refused ? "refused" : isError ? "failed" : "ok";
    const word = { refused: "refused, ", failed: "failed, ", ok: "" }[line];
    return this.#shown(call, {
      ...lineOf(call, line),
      tail: `${word}${duration(now - call.since)}`,
      reason: line === "ok" ? "" : firstLineOf(content),
    });
  }

  /** The run is over: a line for each call that never ended. */
  endAll(now: number): readonly LinePiece[] {
    return [...this.#calls.values()].filter((call) => !call.over).flatMap((call) => {
      call.over = true;
      const tail = `not finished, ${duration(now - call.since)}`;
      return this.#shown(call, { ...lineOf(call, "unfinished"), tail });
    });
  }

  /** Something else was shown: the next call of a sub-agent has to say again whose it is. */
  leaveContext(): void {
    this.#context = null;
  }

  #shown(call: Call, line: LinePiece): readonly LinePiece[] {
    const { parent } = call;
    const isKnown = parent === this.#context;
    this.#context = parent;
    const agent = parent === null || isKnown ? undefined : this.#calls.get(parent);
    return agent === undefined ? [line] : [lineOf(agent, "agent"), line];
  }
}

function lineOf({ name, detail, depth }: Call, line: LineKind): LinePiece {
  return { kind: "line", line, depth, head: name, detail, tail: "", reason: "" };
}
