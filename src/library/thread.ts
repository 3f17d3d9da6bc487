/**
 * A chat thread: one native session, resumed each round, begun anew with a transcript when it is gone.
 *
 * @module
 */
import { AdapterError, toAdapterError } from "../base/errors.ts";
import { readLockText } from "../host/file_lock.ts";
import { makePrivateFolder } from "../host/private_folder.ts";
import { makeFolder } from "../host/scratch_folder.ts";
import { findSessionFile, holdsMessage, putAside } from "../host/session_file.ts";
import { CostMeter, type RoundStart, type ThreadCost } from "../threads/cost.ts";
import { notice } from "../threads/notices.ts";
import { threadSessionId } from "../threads/session_id.ts";
import { NoConversation, SessionTaken } from "../threads/thread_error.ts";
import { type RoundSession, threadArgv } from "../threads/thread_invocation.ts";
import { encodeThreadState, readThreadState, type ThreadState } from "../threads/thread_state.ts";
import type { Update } from "../threads/updates.ts";
import type { UserMessage } from "../threads/user_message.ts";
import { type RoundOutcome, runRound } from "./round.ts";
import type { SendOptions, Thread, ThreadOptions, ThreadRound } from "./thread_api.ts";
import { planRound, refuse, type RoundPlan } from "./thread_checks.ts";
import type { ThreadHost } from "./thread_host.ts";
import { lockThread, type ThreadLock } from "./thread_lock.ts";
import { fileRefusal } from "./file_refusal.ts";
import { configFolder, lockPath } from "./thread_place.ts";
import { openRound } from "./thread_round.ts";

const STARTS = { resume: "resumed", fork: "forked", fresh: "fresh" } as const satisfies {
  readonly [kind in RoundSession["kind"]]: RoundStart;
};

/** Where a thread is. */
interface Place {
  readonly id: string;
  /** The CLI's configuration folder, a real path. */
  readonly configDir: string;
  /** The directory, a real path. */
  readonly cwd: string;
}

/** One message on its way. */
interface Call {
  readonly place: Place;
  readonly plan: RoundPlan;
  readonly lock: ThreadLock;
  /** What was known of the thread before. */
  readonly state: ThreadState;
  readonly signal: AbortSignal;
}

/** One round of the CLI. */
interface Round {
  readonly session: RoundSession;
  readonly line: string;
  /** What the session that goes on or is copied cost. */
  readonly before: ThreadCost | null;
}

/** A thread on this machine's processes. */
export class NativeThread implements Thread {
  readonly #host: ThreadHost;
  readonly #path: string;
  readonly #options: ThreadOptions;
  readonly #source: NativeThread | null;

  /**
   * Nothing is started yet. `path` names the thread, and with it the session, on every machine alike. A thread with a
   * `source` begins with everything that was said there.
   */
  constructor(
    host: ThreadHost,
    path: string,
    options: ThreadOptions & { readonly source?: NativeThread } = {},
  ) {
    const { source = null, ...others } = options;
    this.#host = host;
    this.#path = path;
    this.#options = others;
    this.#source = source;
  }

  /** See {@linkcode Thread}. */
  fork(path: string): Thread {
    return new NativeThread(this.#host, path, { ...this.#options, source: this });
  }

  /** See {@linkcode Thread}. */
  async exists(): Promise<boolean> {
    try {
      const file = await findSessionFile(await this.#place());
      return file !== null && await holdsMessage(file);
    } catch (caught) {
      throw fileRefusal(caught, "thread");
    }
  }

  /** See {@linkcode Thread}. */
  async cost(): Promise<ThreadCost | null> {
    try {
      const text = await readLockText(lockPath(await this.#folder(), await this.sessionId()));
      return readThreadState(text ?? "").cost;
    } catch (caught) {
      throw fileRefusal(caught, "thread");
    }
  }

  /** See {@linkcode Thread}. */
  async forget(): Promise<void> {
    try {
      const lock = await this.#lock(await this.#folder(), await this.sessionId());
      await lock.remove().finally(() => lock.release());
    } catch (caught) {
      throw fileRefusal(caught, "thread");
    }
  }

  /** See {@linkcode Thread}. */
  sessionId(): Promise<string> {
    const { namespace } = this.#options;
    return threadSessionId(this.#path, namespace === undefined ? {} : { namespace });
  }

  /** See {@linkcode Thread}. */
  send(message: UserMessage, options: SendOptions = {}): ThreadRound {
    const { signal } = options;
    return openRound((ending) => this.#send(message, { send: options, signal: ending }), {
      host: this.#host,
      signal,
    });
  }

  async *#send(
    message: UserMessage,
    { send, signal }: { readonly send: SendOptions; readonly signal: AbortSignal },
  ): AsyncGenerator<Update, void> {
    const plan = planRound(message, { thread: this.#options, send });
    const wanted = await this.#place();
    await makeFolder(wanted.configDir);
    // A link that led nowhere is looked at again.
    const place = { ...wanted, configDir: await Deno.realPath(wanted.configDir) };
    const lock = await this.#lock(place.configDir, place.id, signal);
    try {
      const state = readThreadState(lock.text);
      if (state.cwd !== null && state.cwd !== place.cwd) throw wrongDirectory(state.cwd, place.cwd);
      yield* this.#rounds({ place, plan, lock, state, signal });
    } finally {
      await lock.release();
    }
  }

  /** The thread's own conversation, else its source's, else one that begins anew. */
  async *#rounds(call: Call): AsyncGenerator<Update, void> {
    const { place: { id }, plan: { line, lineAnew }, state } = call;
    const own = { session: { kind: "resume", id }, line, before: state.cost } as const;
    const resumed = yield* this.#round(own, call);
    if (!(resumed.error instanceof NoConversation)) return throwIf(resumed.error);
    // A fork that has had a round of its own is a thread like every other: its source knows nothing of that round.
    for (let source = state.cwd === null ? this.#source : null; source; source = source.#source) {
      const session = { kind: "fork", id, from: await source.sessionId() } as const;
      const forked = yield* this.#round({ session, line, before: await source.cost() }, call);
      if (!(forked.error instanceof NoConversation)) return throwIf(forked.error);
    }
    const anew = { session: { kind: "fresh", id }, line: lineAnew, before: state.cost } as const;
    const fresh = yield* this.#round(anew, call);
    if (!(fresh.error instanceof SessionTaken)) return throwIf(fresh.error);
    // Somebody else has begun it meanwhile: it can be resumed after all.
    const again = yield* this.#round(own, call);
    if (!(again.error instanceof NoConversation)) return throwIf(again.error);
    yield { ...await this.#makeWay(call, again.error), turn: 0 };
    throwIf((yield* this.#round(anew, call)).error);
  }

  /** A file without a message is in the way for ever; see `session_file.ts`. */
  async #makeWay({ place }: Call, error: NoConversation): Promise<ReturnType<typeof notice>> {
    const file = await findSessionFile(place);
    if (file === null || await holdsMessage(file)) throw error;
    const aside = await putAside(file);
    return notice(
      "information",
      "The file of the conversation holds no message any more; it was put aside, and the conversation begins anew",
      { aside },
    );
  }

  /** Keeps everybody else from a round of this thread. */
  #lock(configDir: string, id: string, signal?: AbortSignal): Promise<ThreadLock> {
    const { whenBusy = "wait" } = this.#options;
    return lockThread(this.#host, { path: lockPath(configDir, id), id, whenBusy, signal });
  }

  async #place(): Promise<Place> {
    const cwd = await this.#directory();
    return { id: await this.sessionId(), cwd, configDir: await this.#folder() };
  }

  #folder(): Promise<string> {
    return configFolder(this.#host.ports.env, this.#options.configDir);
  }

  async #directory(): Promise<string> {
    const { cwd = Deno.cwd() } = this.#options;
    try {
      const real = await Deno.realPath(cwd);
      if ((await Deno.stat(real)).isDirectory) return real;
    } catch {
      // Said below.
    }
    return refuse(
      "cwd",
      `'${
        String(cwd).slice(0, 1_024)
      }' is no directory that can be used; sessions belong to a directory, so give the thread's own`,
    );
  }

  async *#round(
    { session, line, before }: Round,
    { place, plan, lock, state, signal }: Call,
  ): AsyncGenerator<Update, RoundOutcome> {
    const { ports } = this.#host;
    const folder = await makePrivateFolder({ table: ports.table, id: crypto.randomUUID() });
    this.#host.sweepOnce(folder.path);
    const costs = new CostMeter({
      start: STARTS[session.kind],
      sessionId: session.id,
      before,
      hasUnknownPast: plan.hasHistory && state.cwd === null,
    });
    let hasBegun = false;
    try {
      const mcpConfigPath = plan.mcpConfig === null
        ? null
        : await folder.write("mcp.json", plan.mcpConfig);
      return yield* runRound({
        invocation: {
          argv: threadArgv(this.#options, { session, mcpConfigPath }),
          stdin: line,
          env: plan.env.set,
          removeEnv: plan.env.remove,
          cwd: place.cwd,
        },
        sessionId: session.id,
        resumed: session.kind !== "fresh",
        costs,
        onBegun: () => hasBegun = true,
        forwardSubagentText: this.#options.forwardSubagentText ?? false,
        idleMs: plan.idleMs,
        toolIdleMs: plan.toolIdleMs,
        signal,
      }, ports);
    } finally {
      // Also of a round that was left. What was given is given: that a cost cannot be kept, which later rounds say, does
      // not undo it.
      const kept = encodeThreadState({ cwd: place.cwd, cost: costs.state });
      if (hasBegun) {
        await lock.keep(kept).catch((caught) =>
          ports.log.write("warn", "What a thread cost could not be kept", {
            error: toAdapterError(caught).message,
          })
        );
      }
      await folder.remove();
    }
  }
}

function wrongDirectory(earlier: string, cwd: string): AdapterError {
  return new AdapterError(
    "invalid_arguments",
    `Invalid argument 'cwd': the rounds of this thread were in '${earlier}', and the CLI finds the conversation only there, not in '${cwd}'; give that directory, or forget() the thread`,
  );
}

function throwIf(error: AdapterError | null): void {
  if (error !== null) throw error;
}
