/**
 * Reads a file of events for a report, bounded.
 *
 * @module
 */
import { messageOf } from "../base/errors.ts";
import type { JsonValue } from "../base/json.ts";
import { MAX_REPORT_EVENT_BYTES, MAX_REPORT_VALUE_BYTES } from "../base/limits.ts";
import { visibleSentence } from "../base/visible.ts";
import { frameStream } from "../frames/frame_stream.ts";
import type { Report } from "../report/report.ts";
import { ReportReader } from "../report/report_reader.ts";
import { sizeText } from "../report/wording.ts";
import { shown } from "./flags.ts";

/** What became of a file. */
export type ReportInput =
  | { readonly ok: true; readonly report: Report }
  /** One sentence about what is wrong, without the advice to read the help. */
  | {
    readonly ok: false;
    readonly message: string;
    /** There is no such file. */
    readonly isMissing: boolean;
  };

/** Reads `path`, or standard input for `-`, up to `maxBytes`. Never throws. */
export async function readReport(path: string, maxBytes: number): Promise<ReportInput> {
  const name = path === "-" ? "standard input" : `'${shown(path)}'`;
  try {
    if (path === "-") return await readStream(Deno.stdin.readable, { name, maxBytes });
    using file = await Deno.open(path);
    if ((await file.stat()).isDirectory) return fault(`${name} is a folder; name a file of events`);
    return await readStream(chunksOf(file), { name, maxBytes });
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) {
      return { ok: false, isMissing: true, message: `there is no file ${name}` };
    }
    // A missing permission says itself which one it is.
    return fault(`cannot read ${name}: ${visibleSentence(messageOf(caught))}`);
  }
}

/** Bytes for each read. */
const READ_BYTES = 256 * 1024;

/** The file stays its opener's: the stream of a file would close it a second time. */
function chunksOf(file: Deno.FsFile): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const buffer = new Uint8Array(READ_BYTES);
      const length = await file.read(buffer);
      if (length === null) controller.close();
      else controller.enqueue(buffer.subarray(0, length));
    },
  }, { highWaterMark: 0 });
}

interface StreamOptions {
  readonly name: string;
  readonly maxBytes: number;
}

async function readStream(
  source: ReadableStream<Uint8Array>,
  { name, maxBytes }: StreamOptions,
): Promise<ReportInput> {
  const reader = new ReportReader();
  const input = source.getReader();
  const head = await readHead(input);
  const facts = { bytes: head.bytes, isStopped: false };
  const value = head.isWhole ? parseWhole(head.chunks) : undefined;
  if (value !== undefined) reader.takeValue(value);
  else {
    const rest = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const first = head.chunks.shift();
        if (first !== undefined) return controller.enqueue(first);
        if (head.isWhole) return controller.close();
        const { done, value } = await input.read();
        if (done) return controller.close();
        facts.bytes += value.length;
        if (facts.bytes <= maxBytes) return controller.enqueue(value);
        facts.isStopped = true;
        controller.close();
      },
    }, { highWaterMark: 0 });
    for await (const batch of frameStream(rest, { maxFrameBytes: MAX_REPORT_EVENT_BYTES })) {
      for (const item of batch) reader.take(item);
    }
  }
  if (!reader.isEmpty) return { ok: true, report: reader.finish(facts) };
  return fault(`${name} ${whyEmpty(reader, facts.bytes)}; ${ADVICE}`);
}

const ADVICE =
  "give the JSON lines of one run, as 'claude -p --output-format stream-json --verbose' prints them";

function whyEmpty({ malformed, events, oversized }: ReportReader, bytes: number): string {
  if (bytes === 0) return "is empty";
  if (events > 0) return "is JSON, but not of Claude Code: no type of event in it is known";
  if (oversized > 0) return `holds only lines longer than ${sizeText(MAX_REPORT_EVENT_BYTES)}`;
  const { count, first } = malformed;
  if (count === 0) return "holds no event";
  return `is not JSON lines: ${count === 1 ? "its line is" : `${count} lines are`} no JSON object${
    first === null || first === "" ? "" : `, the first begins "${first.slice(0, 80)}"`
  }`;
}

interface Head {
  readonly chunks: Uint8Array[];
  readonly bytes: number;
  /** There is nothing after it. */
  readonly isWhole: boolean;
}

/** The beginning, as long as a file may be that is one value. */
async function readHead(input: ReadableStreamDefaultReader<Uint8Array>): Promise<Head> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  while (bytes <= MAX_REPORT_VALUE_BYTES) {
    const { done, value } = await input.read();
    if (done) return { chunks, bytes, isWhole: true };
    chunks.push(value);
    bytes += value.length;
  }
  return { chunks, bytes, isWhole: false };
}

/** A file that is one JSON value, on as many lines as it likes; `undefined` when it is not. */
function parseWhole(chunks: readonly Uint8Array[]): JsonValue | undefined {
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // JSON lines, or something else: the lines will tell
  }
}

function fault(message: string): ReportInput {
  return { ok: false, isMissing: false, message };
}
