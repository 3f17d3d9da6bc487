/**
 * Runs of stand-ins through the real launcher and a real supervisor.
 *
 * @module
 */
import { createLauncher } from "../../src/host/launcher.ts";
import type { LauncherOptions } from "../../src/host/launcher.ts";
import type { ExecutableCheck } from "../../src/supervision/job.ts";
import type { Log, Supervised } from "../../src/supervision/ports.ts";
import type { Cleanup, Receipt } from "../../src/supervision/receipts.ts";
import { FAKE_VERSION_OUTPUT, fakeClaude } from "./fake_claude.ts";
import type { FakeBehaviour } from "./fake_claude.ts";

/** A log that keeps its lines. */
export interface KeptLog extends Log {
  readonly lines: readonly string[];
}

/** Makes a log that keeps its lines. */
export function keepLog(): KeptLog {
  const lines: string[] = [];
  return {
    lines,
    write: (level, message, fields) =>
      void lines.push(`${level}: ${message} ${JSON.stringify(fields)}`),
  };
}

/** The check that the stand-ins pass. */
export const VERSION_CHECK: ExecutableCheck = {
  args: ["--version"],
  accepts: [{ stdout: FAKE_VERSION_OUTPUT, by: "tree" }],
};

/** What to run. */
export interface LaunchFake {
  readonly argv?: readonly string[];
  readonly stdin?: string;
  readonly env?: { readonly [name: string]: string };
  readonly checks?: readonly ExecutableCheck[];
  readonly launcher?: Partial<LauncherOptions>;
  readonly forwardStderr?: boolean;
  /** Another executable than the behaviour's. */
  readonly executable?: string;
}

/** A run that is being read. */
export interface FakeRun {
  readonly runId: string;
  readonly supervised: Supervised;
  readonly log: KeptLog;
  /** Everything that arrived, as it arrives. */
  readonly receipts: Receipt[];
  /** The text of stdout so far. */
  stdout(): string;
  /** The frames so far that are JSON objects. */
  frames(): readonly { readonly [key: string]: unknown }[];
  /** The first receipt of a kind, as soon as it is there. Throws when the receipts end without it. */
  receipt<K extends Receipt["receipt"]>(kind: K): Promise<Extract<Receipt, { receipt: K }>>;
  /** The first frame that `matches`, as soon as it is there. Throws when stdout ends without it. */
  frame(
    matches: (frame: { readonly [key: string]: unknown }) => boolean,
  ): Promise<{ readonly [key: string]: unknown }>;
  /** The pid that a stand-in announced as `name`. */
  pidOf(name: string): Promise<number>;
  /** Waits for the end of receipts and supervisor; stops reading stdout. */
  finish(): Promise<Cleanup | null>;
}

/** Starts a stand-in and reads all of it. */
export async function launchFake(
  behaviour: FakeBehaviour,
  options: LaunchFake = {},
): Promise<FakeRun> {
  const log = keepLog();
  const launcher = createLauncher({ log, ...options.launcher });
  const runId = crypto.randomUUID();
  const supervised = await launcher.launch({
    runId,
    executable: options.executable ?? fakeClaude(behaviour),
    argv: options.argv ?? [],
    stdin: options.stdin ?? null,
    env: options.env ?? {},
    checks: options.checks ?? [VERSION_CHECK],
    forwardStderr: options.forwardStderr ?? false,
  });
  return readRun({ runId, supervised, log });
}

interface Started {
  readonly runId: string;
  readonly supervised: Supervised;
  readonly log: KeptLog;
}

function readRun({ runId, supervised, log }: Started): FakeRun {
  const receipts: Receipt[] = [];
  let text = "";
  let news = Promise.withResolvers<void>();
  const tell = () => {
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  let receiptsEnded = false;
  let stdoutEnded = false;
  const reader = supervised.stdout.getReader();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += decoder.decode(part.value, { stream: true });
      tell();
    }
  })().catch(() => {}).finally(() => {
    stdoutEnded = true;
    tell();
  });
  const receiving = (async () => {
    for await (const receipt of supervised.receipts) {
      receipts.push(receipt);
      tell();
    }
    receiptsEnded = true;
    tell();
  })();
  const frames = () =>
    text.split("\n").slice(0, -1).flatMap((line) => {
      try {
        return [JSON.parse(line) as { readonly [key: string]: unknown }];
      } catch {
        return [];
      }
    });
  const run: FakeRun = {
    runId,
    supervised,
    log,
    receipts,
    stdout: () => text,
    frames,
    async receipt(kind) {
      while (true) {
        const found = receipts.find((receipt) => receipt.receipt === kind);
        if (found !== undefined) return found as never;
        if (receiptsEnded) throw new Error(`The receipts ended without '${kind}'`);
        await news.promise;
      }
    },
    async frame(matches) {
      while (true) {
        const found = frames().find(matches);
        if (found !== undefined) return found;
        if (stdoutEnded) throw new Error("stdout ended without the frame");
        await news.promise;
      }
    },
    async pidOf(name) {
      const frame = await run.frame((one) => one.subtype === "fake_process" && one.name === name);
      return frame.pid as number;
    },
    async finish() {
      await receiving;
      await supervised.ended;
      await reader.cancel().catch(() => {});
      await reading;
      const last = receipts.find((receipt) => receipt.receipt === "cleanup");
      return last?.receipt === "cleanup" ? last.cleanup : null;
    },
  };
  return run;
}
