/**
 * One connection from its first byte to confirmed clean-up.
 *
 * @module
 */
import { PEER_STALL_MS, SHUTDOWN_MS } from "../base/limits.ts";
import type { Clock } from "../supervision/ports.ts";
import type { MethodContext } from "./methods.ts";
import type { ByteSink } from "./outbox.ts";
import { type OpeningOptions, openTransport } from "./opening.ts";
import { type ConnectionEnd, StdioTransport } from "./stdio_transport.ts";

/** What a connection needs. */
export interface ConnectionOptions extends MethodContext, Pick<OpeningOptions, "load"> {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: ByteSink;
  /** Aborted (by a signal to the process) to end the connection. */
  readonly stop: AbortSignal;
}

/**
 * Serves until the peer is gone or `stop` aborts, then: admits nothing more, cancels every run and
 * waits (bounded) for clean-up, lets the requests in flight give their answers, sends what is queued,
 * and closes. Resolves with the first cause; never rejects.
 *
 * The input may still have a read pending afterwards: the process must be ended with an explicit exit.
 */
export async function runConnection(options: ConnectionOptions): Promise<ConnectionEnd> {
  const { engine, clock, log, stop } = options;
  const transport = new StdioTransport(options);
  const onStop = (): void => transport.end("stopped");
  if (stop.aborted) onStop();
  else stop.addEventListener("abort", onStop, { once: true });
  openTransport(transport, { ...options, signalOf: (id) => transport.gate.signal(id) });

  const outcome = await transport.ended;
  stop.removeEventListener("abort", onStop);
  log.write("info", "the connection ends", { reason: outcome });
  try {
    await within(SHUTDOWN_MS, engine.shutdown(), clock);
  } catch (caught) {
    const detail = caught instanceof Error ? caught.message : String(caught);
    log.write("error", "clean-up failed", { detail });
  }
  transport.gate.abortAll();
  const last = transport.idle().then(() => transport.flushed());
  if (!await within(PEER_STALL_MS, last, clock)) {
    log.write("warn", "the last answers could not be sent in time");
  }
  await transport.close();
  return outcome;
}

/** Whether `work` was done within `ms`. */
async function within(ms: number, work: Promise<unknown>, clock: Clock): Promise<boolean> {
  let disarm = (): void => {};
  const late = new Promise<false>((resolve) => {
    disarm = clock.after(ms, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    disarm();
  }
}
