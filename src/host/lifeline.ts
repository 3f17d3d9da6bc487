/**
 * The supervisor's end of its lifeline: the job, then commands, then the end.
 *
 * @module
 */
import { MAX_JOB_BYTES } from "../base/limits.ts";
import { createLineSplitter } from "../supervision/line_splitter.ts";
import type { SplitLine } from "../supervision/line_splitter.ts";
import { parseCommand, parseJob } from "../supervision/parse_job.ts";
import type { ParsedJob } from "../supervision/parse_job.ts";

/** What comes over the lifeline. */
export interface Lifeline {
  /** The first line; `null` when the other end went before it was whole. Never rejects. */
  readonly job: Promise<ParsedJob | null>;
  /** Resolves when the run has to stop: a command, a signal, or the end of the lifeline. */
  readonly stopped: Promise<void>;
  /** Resolves when the stop has to spare nobody any time; never otherwise. */
  readonly killed: Promise<void>;
  /** Asks for the stop from this side. */
  stop(reason: string): void;
}

/** Reads a lifeline to its end. */
export function openLifeline(stream: ReadableStream<Uint8Array>): Lifeline {
  const job = Promise.withResolvers<ParsedJob | null>();
  const stopped = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const stop = () => {
    stopped.resolve();
    job.resolve(null);
  };
  let first = true;
  const take = (line: SplitLine) => {
    if (first) {
      first = false;
      job.resolve(
        line.kind === "line"
          ? parseJob(line.text)
          : { ok: false, detail: `The job line is over ${MAX_JOB_BYTES} bytes` },
      );
      return;
    }
    const command = line.kind === "line" ? parseCommand(line.text) : null;
    if (command === null) return;
    if (command.command === "kill") killed.resolve();
    stop();
  };
  void read(stream, take).then(stop);
  return { job: job.promise, stopped: stopped.promise, killed: killed.promise, stop };
}

async function read(
  stream: ReadableStream<Uint8Array>,
  take: (line: SplitLine) => void,
): Promise<void> {
  const splitter = createLineSplitter(MAX_JOB_BYTES);
  try {
    for await (const chunk of stream) for (const line of splitter.push(chunk)) take(line);
  } catch {
    // A lifeline that cannot be read is cut.
  }
}
