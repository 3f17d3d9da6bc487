/**
 * Does experiments: each once, two at a time, and ends everything when it is told to.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { startLoopbackModel } from "../loopback/mod.ts";
import type { CheckContext } from "./check.ts";
import type { Experiment } from "./experiment.ts";
import { shown } from "./finding.ts";
import { type CallPorts, type CallRequest, NativeCall } from "./native_call.ts";
import type { NativeRecord } from "./native_record.ts";
import { projectOf, Room } from "./room.ts";

/** How long one native process may take, on a slow machine too (measured: 0.6 to 3.4 s). */
export const CALL_DEADLINE_MS = 30_000;
/** A CLI that hung or flooded so often is not started again: the rest would take minutes and say the same. */
const MAX_RUNAWAYS = 2;
/** Native processes at once. */
const MAX_AT_ONCE = 2;

/** Why an experiment says nothing. */
export class Unobserved extends Error {
  override readonly name = "Unobserved";
}

/** How to set up a lab. */
export interface LabOptions {
  /** Absolute. */
  readonly executable: string;
  /** Every experiment gets a folder below it. */
  readonly folder: string;
  readonly ports: CallPorts;
  /** Variables of every native process. */
  readonly env: { readonly [name: string]: string };
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** @default {30,000} */
  readonly deadlineMs?: number;
}

/** One lab. */
export class Lab implements CheckContext {
  /** The native processes that have ended, in order of their ends. */
  readonly records: NativeRecord[] = [];
  readonly #options: LabOptions;
  readonly #done = new Map<Experiment<unknown>, Promise<unknown>>();
  readonly #times = new Map<Experiment<unknown>, number>();
  readonly #waiting: (() => void)[] = [];
  #active = 0;
  #runaways = 0;
  #closed: string | null = null;

  /** Sets it up; nothing is started. */
  constructor(options: LabOptions) {
    this.#options = options;
  }

  /** How long an experiment took, in milliseconds; 0 when it was not done. */
  timeOf(experiment: Experiment<unknown>): number {
    return this.#times.get(experiment) ?? 0;
  }

  /** From now on no experiment is begun; `reason` says why. The first one stays. */
  close(reason: string): void {
    this.#closed ??= reason;
  }

  observe<T>(experiment: Experiment<T>): Promise<T> {
    const known = this.#done.get(experiment);
    if (known !== undefined) return known as Promise<T>;
    const doing = this.#inTurn(() => this.#do(experiment));
    doing.catch(() => {}); // whoever observes hears of it
    this.#done.set(experiment, doing);
    return doing;
  }

  /** Waits until nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#done.values());
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active >= MAX_AT_ONCE) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#active += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#active -= 1;
      else next();
    }
  }

  async #do<T>(experiment: Experiment<T>): Promise<T> {
    const { folder, executable, ports, env, deadlineMs = CALL_DEADLINE_MS } = this.#options;
    const from = ports.clock.monotonic();
    this.#refuseWhenClosed();
    const place = `${folder}/${experiment.id}`;
    await using model = startLoopbackModel({ script: experiment.script(projectOf(place)) });
    try {
      const room = await Room.open({
        folder: place,
        executable,
        model,
        ports,
        env,
        deadlineMs,
        start: (request) => this.#start(request),
        finish: (call) => this.#finish(call, deadlineMs),
      });
      return await experiment.run(room);
    } catch (caught) {
      // What the CLI said goes into the arguments of its next call, such as a session to resume.
      if (!(caught instanceof AdapterError) || caught.code !== "invalid_arguments") throw caught;
      throw new Unobserved(
        `what the CLI said before cannot be given back to it: ${caught.message}`,
      );
    } finally {
      this.#times.set(experiment, ports.clock.monotonic() - from);
    }
  }

  #start(request: CallRequest): NativeCall {
    this.#refuseWhenClosed();
    return new NativeCall(request, this.#options.ports);
  }

  async #finish(call: NativeCall, deadlineMs: number): Promise<NativeRecord> {
    const { signal } = this.#options;
    const abort = () => call.stop("aborted");
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    let record: NativeRecord;
    try {
      record = await call.ended;
    } catch (caught) {
      if (caught instanceof AdapterError) throw new Unobserved(caught.message);
      throw caught;
    } finally {
      signal.removeEventListener("abort", abort);
    }
    this.records.push(record);
    const command = `claude ${shown(record.argv.slice(0, 8).join(" ")).slice(1, -1)}`;
    switch (record.end) {
      case "itself":
      case "asked":
        return record;
      case "deadline":
        this.#ranAway();
        throw new Unobserved(`'${command}' did not end within ${deadlineMs / 1000} s`);
      case "flood":
        this.#ranAway();
        throw new Unobserved(`'${command}' printed more than 16 MiB`);
      case "aborted":
        throw new Unobserved("it was interrupted");
    }
  }

  #ranAway(): void {
    this.#runaways += 1;
    if (this.#runaways < MAX_RUNAWAYS) return;
    this.close(`not tried: ${this.#runaways} processes before it had to be stopped`);
  }

  #refuseWhenClosed(): void {
    if (this.#options.signal.aborted) throw new Unobserved("it was interrupted");
    if (this.#closed !== null) throw new Unobserved(this.#closed);
  }
}
