/**
 * Folds the frames of one run into what a person is shown of it. Pure: time is passed in.
 *
 * @module
 */
import { numberMember, stringMember } from "../../base/json.ts";
import type { FrameItem } from "../../frames/frame_stream.ts";
import { RoundReader } from "../../threads/round_reader.ts";
import type {
  NoticeTopic,
  NoticeUpdate,
  RetryUpdate,
  TextUpdate,
  Update,
} from "../../threads/updates.ts";
import { duration } from "./amounts.ts";
import { type LineKind, type LinePiece, type Piece, plainLine } from "./piece.ts";
import { safeText } from "./safe_text.ts";
import { Spoken } from "./spoken.ts";
import { TokenMeter, type Tokens } from "./token_meter.ts";
import { type RunningCall, ToolLog } from "./tool_log.ts";
import { oneLine } from "./tool_text.ts";

/** How each notice is shown. */
const NOTICES: { readonly [topic in NoticeTopic]: LineKind } = {
  information: "note",
  permission_denied: "refused",
  model_fallback: "warning",
  api_error: "failed",
  rate_limit: "warning",
  continued: "note",
  compaction: "note",
  task: "note",
  omitted: "warning",
};

/** How a run stands, in numbers. */
export interface Progress {
  readonly tokens: Tokens;
  /** US dollars of this run; `null` before the first result. */
  readonly costUsd: number | null;
  /** Tool calls so far. */
  readonly calls: number;
  /** Those under way, oldest first. */
  readonly running: readonly RunningCall[];
}

/** The transcript of one run. Times are milliseconds of one clock. */
export class Transcript {
  readonly #reader: RoundReader;
  readonly #tools = new ToolLog();
  readonly #spoken = new Spoken();
  readonly #meter = new TokenMeter();
  #costUsd: number | null = null;
  #turn = 0;
  /** What the last piece was, and how many line ends it ended with. */
  #last: Piece["kind"] | null = null;
  #lineEnds = 0;

  /** Starts before the first frame; `resumed`: the run goes on with a conversation. */
  constructor({ resumed }: { readonly resumed: boolean }) {
    this.#reader = new RoundReader({ resumed });
  }

  /** The numbers so far. */
  get progress(): Progress {
    const { count: calls, running } = this.#tools;
    return { tokens: this.#meter.tokens, costUsd: this.#costUsd, calls, running };
  }

  /** Takes the next item of the stream; returns what is to be shown, in order. Never throws. */
  observe(item: FrameItem, now: number): readonly Piece[] {
    if (item.kind === "frame") this.#meter.observe(item.frame);
    return this.#reader.read(item).flatMap((update) => this.#laid(this.#show(update, now)));
  }

  /** A line of the program's own. */
  note(line: LinePiece): readonly Piece[] {
    return this.#laid([...this.#spoken.end(), line]);
  }

  /** The run is over. `result`: its answer, for a run that said nothing before it. */
  end(result: string | null, now: number): readonly Piece[] {
    const open = this.#laid([...this.#spoken.end(), ...this.#tools.endAll(now)]);
    if (this.#spoken.anything || result === null || result === "") return open;
    return [...open, ...this.#laid([{ kind: "text", text: safeText(result) }])];
  }

  #show(update: Update, now: number): readonly Piece[] {
    switch (update.kind) {
      case "text":
        return [...this.#beginning(update), ...this.#spoken.text(update)];
      case "message":
        return update.parentToolUseId === null ? this.#spoken.whole(update) : [];
      case "text_abandoned":
        return this.#spoken.abandoned(update);
      case "tool_call":
        this.#tools.begin(update, now);
        return this.#endOfLine(); // nothing more comes for as long as it runs
      case "tool_result": {
        const lines = this.#tools.end(update, now);
        return lines.length === 0 ? [] : [...this.#spoken.end(), ...lines];
      }
      case "retry":
        return [...this.#spoken.end(), retryLine(update)];
      case "notice":
        return this.#notice(update);
      case "result":
        this.#costUsd = update.roundUsd ?? this.#costUsd;
        return this.#endOfLine();
      default:
        return [];
    }
  }

  /** Messages that follow each other directly are paragraphs, and a turn that nobody asked for says so. */
  #beginning({ turn, messageId }: TextUpdate): readonly Piece[] {
    if (!this.#spoken.isNew(messageId)) return [];
    const rest = this.#spoken.end();
    if (turn > this.#turn) {
      this.#turn = turn;
      return [...rest, plainLine("note", "a background task ended, and Claude goes on:")];
    }
    const missing = this.#last === "text" ? "\n".repeat(Math.max(0, 2 - this.#lineEnds)) : "";
    return [...rest, { kind: "text", text: missing }];
  }

  /** So that whoever reads line by line has all that was said. */
  #endOfLine(): readonly Piece[] {
    const rest = this.#spoken.end();
    const isOpen = rest.length > 0 || (this.#last === "text" && this.#lineEnds === 0);
    return isOpen ? [...rest, { kind: "text", text: "\n" }] : [];
  }

  #notice({ topic, message, details }: NoticeUpdate): readonly Piece[] {
    const call = stringMember(details, "tool_use_id");
    if (topic === "permission_denied" && call !== null && this.#tools.refuse(call)) return [];
    const resetsAt = numberMember(details, "resets_at");
    const reset = topic === "rate_limit" && resetsAt !== null && Math.abs(resetsAt) < 8.64e12
      ? `, resets at ${new Date(resetsAt * 1000).toISOString()}`
      : "";
    const head = `${oneLine(message)}${reset}`;
    return head === "" ? [] : [...this.#spoken.end(), plainLine(NOTICES[topic], head)];
  }

  /** Puts an empty line between text and lines, and begins every line at the start of a row. */
  #laid(pieces: readonly Piece[]): readonly Piece[] {
    const laid: Piece[] = [];
    for (const piece of pieces) {
      if (piece.kind === "text" && piece.text === "") continue;
      if (this.#last !== null && this.#last !== piece.kind) {
        const missing = "\n".repeat(Math.max(0, 2 - this.#lineEnds));
        if (missing !== "") laid.push({ kind: "text", text: missing });
      }
      laid.push(piece);
      this.#last = piece.kind;
      if (piece.kind === "line") {
        this.#lineEnds = 1;
        if (piece.depth === 0 && piece.line !== "agent") this.#tools.leaveContext();
        continue;
      }
      this.#tools.leaveContext();
      const ends = /\n*$/.exec(piece.text)![0].length;
      this.#lineEnds = ends === piece.text.length ? this.#lineEnds + ends : ends;
    }
    return laid;
  }
}

function retryLine({ attempt, maxRetries, delayMs, status, error }: RetryUpdate): LinePiece {
  const what = error === null || error === "unknown" ? "an error" : oneLine(error);
  const why = status === null
    ? `the API cannot be reached or broke off (${what})`
    : `the API answered ${status} (${what})`;
  const count = `retry ${attempt ?? "?"} of ${maxRetries ?? "?"}`;
  const wait = delayMs === null ? "" : ` in ${duration(delayMs)}`;
  return plainLine("retry", `${why}; ${count}${wait}`);
}
