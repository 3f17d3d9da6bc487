/** Replays a recorded stream through frames, record and outcome, without any process. */
import { frameStream } from "../../src/frames/frame_stream.ts";
import { decideOutcome } from "../../src/runs/outcome.ts";
import { RunRecord } from "../../src/runs/run_record.ts";
import { readVerdict } from "../../src/runs/verdict.ts";
import { sha256 } from "./sha256.ts";

/** What a recording's `.json` says, as far as a replay needs it. */
export interface RecordedCase {
  readonly argv: readonly string[];
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

/** The outcome of a replay, in the form that is stored beside the recording. */
export interface ReplayedOutcome {
  readonly state: string;
  readonly code: string | null;
  readonly result: string | null;
  readonly subtype: string | null;
  readonly cost_usd: number | null;
  readonly permission_mode: string | null;
  readonly followups: readonly string[];
  readonly background_tasks: { readonly open: number; readonly stopped: number };
  readonly denials: number;
  readonly events: number;
  readonly omitted: number;
}

export const FIXTURES = new URL("../../fixtures/streams/", import.meta.url);

/** The names of all recordings. */
export async function recordedCases(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(FIXTURES)) {
    if (entry.name.endsWith(".ndjson")) names.push(entry.name.slice(0, -".ndjson".length));
  }
  return names.sort();
}

/** `bytes` in chunks of `size`; 0 is one chunk. */
export function chunked(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const step = size === 0 ? Math.max(1, bytes.length) : size;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + step));
      at += step;
    },
  });
}

/** Folds a whole stream. */
export async function replay(
  bytes: Uint8Array,
  recorded: RecordedCase,
  chunkSize: number,
): Promise<ReplayedOutcome> {
  const record = new RunRecord({ sha256 }, 0);
  let cause = null;
  for await (const batch of frameStream(chunked(bytes, chunkSize))) {
    for (const item of batch) cause = cause ?? record.observe(item, 0);
  }
  const exit = { code: recorded.exit_code ?? 128, signal: recorded.signal };
  const outcome = decideOutcome({
    cause,
    primary: record.primary,
    exit,
    cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
    verdict: readVerdict({
      primary: record.primary,
      latch: record.failures,
      failedFollowUp: record.failedFollowUp,
      exitCode: exit.code,
      stderrTail: recorded.stderr,
      resumed: recorded.argv.some((arg) => arg.startsWith("--resume")),
    }),
    brokenTail: record.brokenTail,
    stderrTail: recorded.stderr,
  });
  return {
    state: outcome.state,
    code: outcome.error?.code ?? null,
    result: record.primary?.text?.slice(0, 120) ?? null,
    subtype: record.primary?.subtype ?? null,
    cost_usd: record.costUsd,
    permission_mode: record.permissionMode,
    followups: record.followups.map((row) => row.result ?? `(${row.subtype})`),
    background_tasks: { open: record.background.open, stopped: record.background.stopped },
    denials: record.denials.length,
    events: record.events.observed,
    omitted: record.events.page(0, 1, 1024).omitted_events,
  };
}
