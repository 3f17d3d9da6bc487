/**
 * Signals, in and out.
 *
 * @module
 */

/** The signals that ask this program to end. */
const ENDING: readonly Deno.Signal[] = ["SIGTERM", "SIGINT", "SIGHUP"];

/** Calls `act` at each of SIGTERM, SIGINT and SIGHUP; the returned function stops that. */
export function onEndingSignal(act: (signal: string) => void): () => void {
  const handlers = ENDING.map((signal) => ({ signal, handle: () => act(signal) }));
  for (const { signal, handle } of handlers) Deno.addSignalListener(signal, handle);
  return () => {
    for (const { signal, handle } of handlers) Deno.removeSignalListener(signal, handle);
  };
}

/**
 * Sends a signal to a process, or to a group with a negative id. Gone already, or not ours to signal, is no
 * error: the next look tells. Refuses 0, 1, -1 and this process, which would hit everything or ourselves.
 */
export function sendSignal(target: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (Math.abs(target) <= 1 || target === Deno.pid || !Number.isInteger(target)) return;
  try {
    Deno.kill(target, signal);
  } catch {
    // ESRCH or EPERM.
  }
}

/** Calls `act` whenever the terminal gets another size; the returned function stops that. */
export function onResize(act: () => void): () => void {
  Deno.addSignalListener("SIGWINCH", act);
  return () => Deno.removeSignalListener("SIGWINCH", act);
}
