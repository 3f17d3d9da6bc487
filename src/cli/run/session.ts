/**
 * One run from its start to its exit code: the engine, what is shown of it, and the signals that end it.
 *
 * @module
 */
import { type AdapterError, toAdapterError } from "../../base/errors.ts";
import { encodeUtf8, jsonText } from "../../base/json.ts";
import { MAX_WAIT_SECONDS } from "../../base/limits.ts";
import { PROGRAM_NAME } from "../../base/version.ts";
import type { RunArguments } from "../../contract/run_arguments.ts";
import type { Engine, SettledRun } from "../../engine/api.ts";
import type { ObservedItem } from "../../engine/run.ts";
import { pause, systemClock } from "../../host/clock.ts";
import { createLog } from "../../host/log.ts";
import { onEndingSignal, onResize } from "../../host/signals.ts";
import { createOutput, type OutputPort } from "../../host/stdio.ts";
import { openHostEngine } from "../../library/open_engine.ts";
import { eventLine, settledLine, startedLine } from "../../runs/event_lines.ts";
import type { Log } from "../../supervision/ports.ts";
import { exitCodeOf } from "../exit_codes.ts";
import { NO_READER_EXIT, say, unwritten } from "../say.ts";
import { isReceiptDue, receipt } from "./ending.ts";
import type { EventFile } from "./event_file.ts";
import { answerOf, LiveView } from "./live_view.ts";
import type { RunOptions } from "./run_options.ts";
import { safeText } from "./safe_text.ts";
import { type Terminal, terminalOf } from "./terminal.ts";

/** After an interruption, how long output that nobody takes is waited for. */
const LAST_WORDS_MS = 1_000;
/** What a session is made of. */
export interface SessionOptions {
  readonly options: RunOptions;
  readonly args: RunArguments;
  readonly events: EventFile | null;
}

/** Runs one prompt; resolves to the exit code when everything is over. Throws `AdapterError` when nothing was started. */
export async function runSession(session: SessionOptions): Promise<number> {
  return await new Session(session).run();
}

class Session {
  readonly #options: RunOptions;
  readonly #events: EventFile | null;
  readonly #args: RunArguments;
  readonly #terminal: Terminal | null;
  readonly #output: OutputPort;
  readonly #engine: Engine;
  readonly #letGo = Promise.withResolvers<void>();
  #view: LiveView | null = null;
  #runId = "";
  #signals = 0;
  /** Why standard output cannot be written. */
  #unwritten: { readonly caught: unknown } | null = null;

  constructor({ options, args, events }: SessionOptions) {
    this.#options = options;
    this.#events = events;
    this.#args = args;
    this.#terminal = terminalOf();
    this.#output = createOutput(Deno.stdout);
    const { executable, acceptNativeVersion, oversizedFrames } = options;
    const { engine } = openHostEngine({
      oversizedFrames,
      log: this.#log(),
      ...(executable !== null && { executable }),
      ...(acceptNativeVersion !== null && { acceptNativeVersion }),
    }, { onItem: (observed) => this.#observe(observed) });
    this.#engine = engine;
  }

  async run(): Promise<number> {
    const started = this.#engine.start(this.#args, null);
    this.#runId = started.run_id;
    this.#events?.add(startedLine(started, this.#args.prompt));
    const { resume_session_id, continue_previous } = this.#args;
    if (this.#options.form === "transcript") {
      this.#view = new LiveView({
        output: this.#output,
        clock: systemClock,
        terminal: this.#terminal,
        resumed: resume_session_id !== undefined || continue_previous === true,
        activity: () => this.#engine.info(this.#runId).activity ?? "ending",
        onFault: (caught) => this.#lostOutput(caught),
      });
    }
    const releaseSignals = onEndingSignal((signal) => this.#signalled(signal));
    const releaseResize = onResize(() => this.#view?.resized());
    try {
      const value = await this.#settled();
      if (value instanceof Error) return await this.#withoutValue(value);
      this.#events?.add(settledLine(value));
      await Promise.race([this.#show(value), this.#letGo.promise]);
      await this.#events?.close();
      return this.#exitCode(value);
    } finally {
      await this.#engine.shutdown();
      releaseResize();
      releaseSignals();
    }
  }

  #observe({ item, event }: ObservedItem): void {
    if (event !== null) this.#events?.add(eventLine(item, event.event));
    this.#view?.take(item);
  }

  /** The settled value; an error when it is too large to be told. */
  async #settled(): Promise<SettledRun | AdapterError> {
    for (;;) {
      await this.#engine.wait(this.#runId, { seconds: MAX_WAIT_SECONDS });
      if (!this.#engine.info(this.#runId).completed) continue;
      try {
        const value = this.#engine.result(this.#runId);
        if ("cleanup_confirmed" in value) return value;
      } catch (caught) {
        return toAdapterError(caught);
      }
    }
  }

  async #show(value: SettledRun): Promise<void> {
    if (this.#signals > 0) void pause(systemClock, LAST_WORDS_MS).then(this.#letGo.resolve);
    if (this.#view !== null) return await this.#view.end(value);
    const answer = answerOf(value);
    if (this.#options.form === "json") await this.#print(`${jsonText(value)}\n`);
    else if (answer !== null && answer !== "") {
      const text = this.#terminal === null ? answer : safeText(answer);
      await this.#print(text.endsWith("\n") ? text : `${text}\n`);
    }
  }

  async #print(text: string): Promise<void> {
    try {
      await this.#output.write(encodeUtf8(text));
    } catch (caught) {
      this.#lostOutput(caught);
    }
  }

  async #withoutValue(error: AdapterError): Promise<number> {
    await Promise.race([this.#view?.close(), this.#letGo.promise]);
    await this.#events?.close();
    this.#say(`${error.message} (${error.code})`);
    return exitCodeOf(error.code);
  }

  #exitCode(value: SettledRun): number {
    const { error, cleanup_error } = value;
    const lost = this.#lostExit();
    if (error !== undefined && lost === null) this.#say(`${error.message} (${error.code})`);
    // Who runs `… | head -1` is not told of an end that was asked for, unless something is left.
    if (isReceiptDue(value) && (lost !== NO_READER_EXIT || !value.cleanup_confirmed)) {
      this.#say(receipt(value));
    }
    if (cleanup_error !== undefined && cleanup_error.code !== error?.code) {
      this.#say(`${cleanup_error.message} (${cleanup_error.code})`);
    }
    const eventsFault = this.#events?.fault ?? null;
    if (eventsFault !== null) this.#say(eventsFault);
    if (lost !== null) return lost;
    if (error !== undefined) return exitCodeOf(error.code);
    return eventsFault === null ? 0 : 1;
  }

  /** The exit code of output that could not be written, said on the way; `null` when all of it was. */
  #lostExit(): number | null {
    if (this.#unwritten === null) return null;
    const { caught } = this.#unwritten;
    return isHangup(caught) ? exitCodeOf("cancelled") : unwritten("run", caught);
  }

  /** The first signal asks for the end; Ctrl-C after it leaves out what is polite, and waits for no reader. */
  #signalled(signal: string): void {
    this.#signals += 1;
    const isHangup = signal === "SIGHUP";
    if (isHangup) this.#view?.leave(); // the terminal is gone, and what is written to it would only be an error
    if (this.#signals === 1) {
      const { cancel_requested } = this.#engine.cancel(this.#runId, {
        reason: `${signal} ended the run`,
      });
      this.#view?.ending();
      if (cancel_requested && !isHangup) this.#tell(`${signal}: ending the run; ${ESCALATION}`);
    } else if (signal === "SIGINT") {
      this.#engine.cancel(this.#runId, { kill: true });
      this.#tell("ending everything at once with SIGKILL");
    }
    if (this.#engine.info(this.#runId).completed) this.#letGo.resolve(); // only its output is waited for
  }

  /** On a terminal in its place, else on standard error. */
  #tell(text: string): void {
    if (this.#terminal !== null && this.#view !== null) this.#view.note("note", text);
    else this.#say(text);
  }

  #lostOutput(caught: unknown): void {
    if (this.#unwritten !== null) return;
    this.#unwritten = { caught };
    this.#engine.cancel(this.#runId, { reason: "Nobody takes the output of the run any more" });
    this.#letGo.resolve();
  }

  #log(): Log {
    const plain = createLog({ level: "warn" });
    return {
      write: (level, message, fields) => {
        if (this.#terminal === null || this.#view === null) plain.write(level, message, fields);
        else if (level === "error" || level === "warn") this.#view.note("warning", message);
      },
    };
  }

  #say(text: string): void {
    say(Deno.stderr, `${PROGRAM_NAME} run: ${text}\n`);
  }
}

const ESCALATION = "Ctrl-C again ends everything at once with SIGKILL";

/** A terminal that was closed answers EIO, which Deno has no class for. */
function isHangup(caught: unknown): boolean {
  return (caught as { readonly code?: unknown }).code === "EIO";
}
