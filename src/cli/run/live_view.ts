/**
 * Shows a run on standard output while it goes on: on a terminal with a status line, else as plain lines.
 *
 * @module
 */
import { encodeUtf8 } from "../../base/json.ts";
import type { FrameItem } from "../../frames/frame_stream.ts";
import { pause } from "../../host/clock.ts";
import type { OutputPort } from "../../host/stdio.ts";
import type { SettledRun } from "../../runs/values.ts";
import type { Clock } from "../../supervision/ports.ts";
import { summary } from "./ending.ts";
import { type Piece, plainLine } from "./piece.ts";
import { PlainPage } from "./plain_page.ts";
import { Screen, type ScreenSize } from "./screen.ts";
import { statusLine } from "./status_line.ts";
import { Transcript } from "./transcript.ts";

/** The least time between two frames: as often as most screens show one. */
const FRAME_MS = 33;
/** How often the status line changes by itself. */
const TICK_MS = 1_000;
/** Text that waits for a reader that is slow or has stopped its terminal; past it text is left out, and that is said. */
const MAX_WAITING_CHARS = 16 * 1024 * 1024;

/** How to show a run. */
export interface LiveViewOptions {
  readonly output: OutputPort;
  readonly clock: Clock;
  /** The terminal; `null` for plain lines. */
  readonly terminal: { readonly size: () => ScreenSize; readonly isColoured: boolean } | null;
  /** The run goes on with a conversation. */
  readonly resumed: boolean;
  /** What the engine says that the run is doing. */
  readonly activity: () => string;
  /** Called once when nothing can be written any more. */
  readonly onFault: (error: unknown) => void;
}

/** One run on standard output. */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #transcript: Transcript;
  readonly #page: Screen | PlainPage;
  readonly #startedAt: number;
  readonly #drawing: Promise<void>;
  #news = Promise.withResolvers<void>();
  #waiting = 0;
  #lost = 0;
  #isEnding = false;
  #isOver = false;
  #isGone = false;

  /** Starts to draw. */
  constructor(options: LiveViewOptions) {
    const { terminal, clock, resumed } = options;
    this.#options = options;
    this.#transcript = new Transcript({ resumed });
    this.#page = terminal === null ? new PlainPage() : new Screen(terminal.size(), terminal);
    this.#startedAt = clock.monotonic();
    this.#drawing = this.#draw();
  }

  /** Takes the next item of the run's stream. */
  take(item: FrameItem): void {
    this.#add(this.#transcript.observe(item, this.#options.clock.monotonic()));
  }

  /** A line of the program's own. */
  note(line: "note" | "warning", text: string): void {
    this.#add(this.#transcript.note(plainLine(line, text)));
  }

  /** Somebody asked for the end of the run. */
  ending(): void {
    this.#isEnding = true;
    this.#wake();
  }

  /** The terminal has another size. */
  resized(): void {
    const { terminal } = this.#options;
    if (terminal === null || !(this.#page instanceof Screen)) return;
    this.#page.resize(terminal.size());
    this.#wake();
  }

  /** Nobody looks any more: nothing is written from now on. */
  leave(): void {
    this.#isGone = true;
    this.#wake();
  }

  /** The run has settled: shows its end. Resolves when everything is written, or cannot be. */
  async end(value: SettledRun): Promise<void> {
    const now = this.#options.clock.monotonic();
    this.#add(this.#transcript.end(answerOf(value), now));
    const { progress } = this.#transcript;
    this.#add(
      this.#transcript.note(summary(value, { progress, elapsedMs: now - this.#startedAt })),
    );
    await this.close();
  }

  /** Ends the drawing where it stands. */
  async close(): Promise<void> {
    this.#isOver = true;
    this.#wake();
    await this.#drawing;
  }

  #add(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      const size = piece.kind === "text" ? piece.text.length : 1_000;
      if (this.#waiting + size > MAX_WAITING_CHARS) {
        this.#lost += size;
        continue;
      }
      this.#waiting += size;
      this.#page.add(piece);
    }
    this.#wake();
  }

  #wake(): void {
    this.#news.resolve();
  }

  async #draw(): Promise<void> {
    const { clock, terminal } = this.#options;
    for (;;) {
      const isLast = this.#isOver;
      this.#news = Promise.withResolvers();
      await this.#write(isLast ? this.#page.close() : this.#page.frame(this.#status()));
      if (isLast) await this.#write(this.#page.close()); // that something was left out, at the very end
      if (isLast || this.#isGone) return;
      if (this.#isOver) continue;
      await pause(clock, FRAME_MS);
      if (terminal === null) await this.#news.promise;
      else await pause(clock, TICK_MS - FRAME_MS, this.#news.promise);
    }
  }

  #status(): string {
    return statusLine({
      progress: this.#transcript.progress,
      now: this.#options.clock.monotonic(),
      startedAt: this.#startedAt,
      activity: this.#options.activity(),
      isEnding: this.#isEnding,
    });
  }

  async #write(text: string): Promise<void> {
    if (text === "" || this.#isGone) return;
    this.#waiting = 0;
    try {
      await this.#options.output.write(encodeUtf8(text));
    } catch (caught) {
      this.#isGone = true;
      this.#options.onFault(caught);
      return;
    }
    if (this.#lost === 0) return;
    const lost = this.#lost;
    this.#lost = 0;
    this.note("warning", `about ${lost} characters are left out here: they were not read in time`);
  }
}

/** The answer of a run, unless it is the CLI's own words about a failure. */
export function answerOf({ result, is_error, final_event }: SettledRun): string | null {
  return is_error && final_event?.is_error !== false ? null : result;
}
