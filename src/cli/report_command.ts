/**
 * The `report` command: the events of a run as one HTML page.
 *
 * @module
 */
import { basename } from "node:path";
import { messageOf } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";
import { MAX_REPORT_INPUT_BYTES } from "../base/limits.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { visibleSentence } from "../base/visible.ts";
import { writePage } from "../report/page.ts";
import { readReport } from "./report_input.ts";
import { readFlags, shown } from "./flags.ts";
import { answer, OUTPUT_EXITS_HELP, say, sayUsage } from "./say.ts";

/** The text of `report --help`. */
export const help: string = `${PROGRAM_NAME} report FILE [options]

Makes one HTML page of a run: how it ended, a timeline, tokens and cost, denied tool calls, the
conversation, and what clean-up did. The page is a single file that loads nothing and runs no
script, so it opens offline and can be sent to somebody. It shows what the run saw: read it first.

FILE holds the events of one run, one JSON object a line:
  claude -p --output-format stream-json --verbose … > FILE
  ${PROGRAM_NAME} run --events FILE …
or one saved value of claude.run, claude.run.result or claude.run.events; - is standard input.
Runs live in the memory of their server, so there is no report of a run id alone.

Options:
  --out PAGE.html   write the page there, readable by you alone (default: standard output);
                    under 'deno run' this needs --allow-write
  --title TEXT      the heading (default: the name of FILE)

Exit codes:
  0    the page was written
  1    FILE cannot be read or holds no events, or the page cannot be written
  2    wrong usage
${OUTPUT_EXITS_HELP}`;

/** A run id where a file should be. */
const RUN_ID = /^(?:run[-_])?[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** Makes the page; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readFlags(
    {
      "--out": { kind: "value", what: "a file to write" },
      "--title": { kind: "value", what: "a text" },
    },
    args,
    1,
  );
  if (!read.ok) return sayUsage("report", read.message);
  const [file] = read.operands;
  if (file === undefined || file === "") return sayUsage("report", "name a file of events");
  const out = read.values.get("--out") ?? null;
  if (out !== null && await isSameFile(file, out)) {
    return sayUsage("report", "--out is the file of events itself");
  }
  const input = await readReport(file, MAX_REPORT_INPUT_BYTES);
  if (!input.ok) return failed(isRunId(file, input.isMissing) ? runIdAdvice(file) : input.message);
  const title = read.values.get("--title") ?? (file === "-" ? "standard input" : basename(file));
  const pages = chunks(writePage(input.report, { title }));
  return out === null ? print(pages) : writeFile(out, pages);
}

function isRunId(file: string, isMissing: boolean): boolean {
  return isMissing && RUN_ID.test(file);
}

function runIdAdvice(id: string): string {
  return `there is no file '${
    shown(id)
  }', and the run of an id cannot be looked up: runs live in the ` +
    "server's memory; save events with 'run --events FILE', or save what claude.run.result answers";
}

function failed(message: string): number {
  say(Deno.stderr, `${PROGRAM_NAME} report: ${message}\n`);
  return 1;
}

/** Whether both name the same file; a file that is not there is no other. */
async function isSameFile(file: string, out: string): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([Deno.stat(file), Deno.stat(out)]);
    return one.ino !== null && one.ino === other.ino && one.dev === other.dev;
  } catch {
    return false; // what is wrong with either is found when it is used
  }
}

/** Prints the page; returns the exit code. */
function print(chunks: Iterable<string>): number {
  for (const chunk of chunks) {
    const code = answer("report", chunk);
    if (code !== null) return code;
  }
  return 0;
}

/** Writes the page to a file that only its owner can read; returns the exit code. */
function writeFile(path: string, chunks: Iterable<string>): number {
  let isNew = false;
  let isOpen = false;
  try {
    isNew = !exists(path);
    using file = Deno.openSync(path, { write: true, create: true, truncate: true, mode: 0o600 });
    isOpen = true;
    // The mode is for a new file only; what the page shows is as private in an old one.
    if (file.statSync().isFile) Deno.chmodSync(path, 0o600);
    for (const chunk of chunks) {
      const bytes = encodeUtf8(chunk);
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    }
    return 0;
  } catch (caught) {
    if (isNew && isOpen) Deno.removeSync(path); // half a page
    return failed(`cannot write '${shown(path)}': ${visibleSentence(messageOf(caught))}`);
  }
}

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}

/** Pieces are gathered to so many characters for each write. */
const WRITE_CHARS = 256 * 1024;

function* chunks(pieces: Iterable<string>): Iterable<string> {
  let held = "";
  for (const piece of pieces) {
    held += piece;
    if (held.length < WRITE_CHARS) continue;
    yield held;
    held = "";
  }
  yield held;
}
