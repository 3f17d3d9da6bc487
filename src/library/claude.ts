/**
 * The library's entry: runs and threads of the user's own Claude Code.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";
import { parseRunArguments } from "../contract/run_schema.ts";
import type { Engine, SettledRun } from "../engine/api.ts";
import { MAX_PAGE_BYTES, MAX_PAGE_EVENTS, MAX_WAIT_SECONDS } from "../base/limits.ts";
import type { TurnOptions } from "../executor/turn_options.ts";
import { createExecutor, type Executor } from "./executor.ts";
import { type EngineSettings, openHostEngine } from "./open_engine.ts";
import { NativeThread } from "./thread.ts";
import type { Thread, ThreadOptions } from "./thread_api.ts";
import { ThreadHost } from "./thread_host.ts";

/** One run that was started. Disposing of it cancels it and waits for its clean-up. */
export interface ClaudeRun extends AsyncDisposable {
  /** The handle; not a native session id. */
  readonly runId: string;
  /**
   * The native events as they come. A reader that is slower than the run misses what is no longer kept; the cursors,
   * which count from 1, show it.
   */
  readonly events: AsyncIterable<{ readonly cursor: number; readonly event: JsonValue }>;
  /** The settled value, of a failed run too: look at `is_error`. */
  readonly result: Promise<SettledRun>;
  /** Asks for the end of the run and everything it started. */
  cancel(): void;
}

/** Runs and threads. Disposing of it ends every run, round and turn, and waits until nothing of them is left. */
export interface Claude extends AsyncDisposable {
  /**
   * Starts a run with the arguments of `claude.run`. Throws `AdapterError` when it cannot be admitted; then nothing was
   * started.
   */
  run(request: { readonly [name: string]: unknown }): ClaudeRun;
  /** A chat thread; nothing is started until its first message. */
  thread(path: string, options?: ThreadOptions): Thread;
  /**
   * An executor for turns with lent tools; see {@linkcode createExecutor}. It ends with this, or when it is disposed of
   * itself.
   */
  executor(options: TurnOptions): Promise<Executor>;
}

/**
 * Opens the library. Needs `--allow-run --allow-env --allow-read`, `--allow-write` for threads and for
 * executors, and `--allow-net=127.0.0.1` for executors.
 *
 * @example
 * ```ts
 * import { createClaude } from "./claude.ts";
 *
 * await using claude = createClaude();
 * const thread = claude.thread("room/42");
 * console.assert((await thread.sessionId()).length === 36);
 * ```
 */
export function createClaude(settings: EngineSettings = {}): Claude {
  const { engine, ports } = openHostEngine(settings);
  const threads = new ThreadHost(ports);
  const { oversizedFrames: _, ...hostSettings } = settings;
  const executors = new Set<Promise<Executor>>();
  let isClosed = false;
  return {
    run: (request) => startRun(engine, request),
    thread: (path, options) => new NativeThread(threads, path, options),
    executor(options) {
      if (isClosed) {
        return Promise.reject(
          new AdapterError("cancelled", "The library is closed; open another one"),
        );
      }
      // Kept from the start on, since the library may be closed before there is one.
      const executor = createExecutor({ ...hostSettings, ...options });
      executors.add(executor);
      executor.catch(() => executors.delete(executor));
      return executor;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const disposed = [...executors].map(async (made) => {
        const executor = await made.catch(() => null);
        await executor?.[Symbol.asyncDispose]();
      });
      await Promise.all([engine.shutdown(), threads.close(), ...disposed]);
    },
  };
}

function startRun(engine: Engine, request: { readonly [name: string]: unknown }): ClaudeRun {
  const { run_id: runId } = engine.start(parseRunArguments(request), null);
  const result = settled(engine, runId);
  result.catch(() => {}); // whoever does not ask for it must not be ended by it
  return {
    runId,
    result,
    events: { [Symbol.asyncIterator]: () => eventsOf(engine, runId) },
    cancel: () => void engine.cancel(runId),
    async [Symbol.asyncDispose]() {
      engine.cancel(runId);
      await result.catch(() => {});
    },
  };
}

async function settled(engine: Engine, runId: string): Promise<SettledRun> {
  for (;;) {
    await engine.wait(runId, { seconds: MAX_WAIT_SECONDS });
    const value = engine.result(runId);
    if ("cleanup_confirmed" in value) return value;
  }
}

async function* eventsOf(
  engine: Engine,
  runId: string,
): AsyncGenerator<{ readonly cursor: number; readonly event: JsonValue }, void> {
  for (let after = 0;;) {
    const page = engine.events(runId, {
      after_cursor: after,
      limit: MAX_PAGE_EVENTS,
      max_bytes: MAX_PAGE_BYTES,
    });
    yield* page.events;
    after = page.next_cursor;
    if (page.has_more) continue;
    if (page.completed) return;
    await engine.wait(runId, { seconds: MAX_WAIT_SECONDS, afterCursor: after });
  }
}
