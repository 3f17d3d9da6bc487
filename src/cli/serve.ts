/**
 * The `serve` command: everything wired together on this process's standard streams.
 *
 * @module
 */
import { AdapterError, toAdapterError } from "../base/errors.ts";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { pause, systemClock, whenAborted, within } from "../host/clock.ts";
import { createLog } from "../host/log.ts";
import { onEndingSignal } from "../host/signals.ts";
import type { StdioPort } from "../host/stdio.ts";
import type { Launcher, Log } from "../supervision/ports.ts";
import { openHostEngine } from "../library/open_engine.ts";
import { runConnection } from "../mcp/connection.ts";
import type { ServeOptions } from "./options.ts";

/** The sweep lets a host's first requests go first: at once it would cost 6 to 13 ms of their 200 (measured). */
const SWEEP_AFTER_MS = 1_000;
/** How long the end waits for a look of the sweep that is under way: 5 to 8 ms, but not on every machine. */
const SWEEP_END_MS = 1_000;

/**
 * Serves until the host is gone or a signal says so, and cleans up. Resolves when everything is over; the
 * caller must then end the process, since a read of standard input may be pending for ever.
 *
 * A second signal changes nothing: clean-up is bounded, and cutting it short would leave processes behind.
 */
export async function serve(options: ServeOptions, stdio: StdioPort): Promise<void> {
  const log = createLog({ level: options.logLevel });
  const stop = new AbortController();
  onEndingSignal((signal) => {
    log.write("info", "a signal asks the server to end", { signal });
    stop.abort();
  });
  surviveFaults(log);

  const { engine, ports } = openHostEngine({
    log,
    oversizedFrames: options.oversizedFrames,
    ...(options.executable !== null && { executable: options.executable }),
    ...(options.acceptNativeVersion !== null &&
      { acceptNativeVersion: options.acceptNativeVersion }),
  }, { keepsSpare: true });
  warnAboutExecutable(ports.launcher, log);
  log.write("info", `${PROGRAM_NAME} ${VERSION} is serving MCP on standard input and output`);
  const over = new AbortController();
  const connected = runConnection({
    engine,
    clock: systemClock,
    log,
    version: VERSION,
    syncBudgetSeconds: options.syncBudgetSeconds,
    input: stdio.input,
    output: stdio.output,
    stop: stop.signal,
  });
  const swept = pause(systemClock, SWEEP_AFTER_MS, whenAborted(over.signal))
    .then(() => over.signal.aborted ? undefined : ports.sweep(over.signal));
  const end = await connected;
  over.abort();
  await ports.launcher.close?.();
  await within(systemClock, SWEEP_END_MS, swept);
  if (end === "server_failed") {
    throw new AdapterError("internal_error", "a part of this program could not be loaded");
  }
}

/** The host can list the tools all the same; each run then says what is wrong. */
function warnAboutExecutable(launcher: Launcher, log: Log): void {
  try {
    launcher.locate();
  } catch (caught) {
    const { code, message } = toAdapterError(caught);
    log.write("warn", `no run can start until this is corrected: ${message}`, { code });
  }
}

/** A fault that nobody handled must not end the process before its clean-up. */
function surviveFaults(log: Log): void {
  const report = (caught: unknown): void =>
    log.write("error", "an unhandled fault", { detail: toAdapterError(caught).message });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    report(event.reason);
  });
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    report(event.error);
  });
}
