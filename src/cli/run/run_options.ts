/**
 * The options of `run`, read as data.
 *
 * @module
 */
import type { JsonValue } from "../../base/json.ts";
import { MAX_PAGE_EVENTS, MAX_TIMEOUT_SECONDS } from "../../base/limits.ts";
import { printCommand } from "../../contract/tree.ts";
import {
  EXECUTABLE_PATH,
  type FlagFault,
  type FlagTable,
  readFlags,
  VERSION_TEXT,
} from "../flags.ts";
import type { OversizedFrames } from "../options.ts";
import { nativeFlags, nativeValues, numberOf } from "../print_options.ts";

/** What goes to standard output: the transcript, the settled value, or only the answer. */
export type OutputForm = "transcript" | "json" | "answer";

/** Where the prompt is. */
export type PromptPlace =
  | { readonly kind: "argument"; readonly text: string }
  | { readonly kind: "file"; readonly path: string }
  /** `isAsked`: by `-`; else only because there is nothing else. */
  | { readonly kind: "stdin"; readonly isAsked: boolean };

/** What a `run` command line asks for. */
export interface RunOptions {
  readonly ok: true;
  readonly prompt: PromptPlace;
  /** The arguments of `claude.run` that were given, without the prompt, unchecked. */
  readonly request: { readonly [name: string]: JsonValue };
  readonly form: OutputForm;
  /** Where the events go, or `null`. */
  readonly events: string | null;
  readonly executable: string | null;
  readonly acceptNativeVersion: string | null;
  readonly oversizedFrames: OversizedFrames;
  /** The directory the run works in, or `null` for this one. */
  readonly cwd: string | null;
}

/** Our own options whose values are arguments of `claude.run` with another name. */
const NUMBERS: { readonly [flag: string]: { readonly name: string; readonly max: number } } = {
  "--timeout": { name: "timeout_seconds", max: MAX_TIMEOUT_SECONDS },
  "--max-events": { name: "max_events", max: MAX_PAGE_EVENTS },
};

const OWN_FLAGS: FlagTable = {
  "--file": { kind: "value", what: "a file with the prompt" },
  "--json": { kind: "switch" },
  "--quiet": { kind: "switch" },
  "--events": { kind: "value", what: "a file that does not exist yet" },
  "--background-tasks": { kind: "choice", of: ["allow", "off"] },
  ...Object.fromEntries(
    Object.entries(NUMBERS).map(([flag, { max }]) => [flag, { kind: "value", what: whole(max) }]),
  ),
  "--cwd": { kind: "value", what: "a directory" },
  "--executable": EXECUTABLE_PATH,
  "--accept-native-version": VERSION_TEXT,
  "--oversized-frames": { kind: "choice", of: ["skip", "fail"] },
};

/** Reads the arguments of `run`. Never throws. */
export function readRunOptions(args: readonly string[]): RunOptions | FlagFault {
  const flags = nativeFlags(printCommand());
  const table = Object.fromEntries(flags.map(({ flag, rule }) => [flag, rule]));
  const read = readFlags({ ...table, ...OWN_FLAGS }, args, 1);
  if (!read.ok) return read;
  const { values, operands } = read;
  if (values.has("--json") && values.has("--quiet")) {
    return fault("--json and --quiet exclude each other: each says what standard output is");
  }
  if (values.has("--file") && operands.length > 0) {
    return fault("the prompt is given twice: as an argument and with --file");
  }
  const native = nativeValues(flags, values);
  if (!native.ok) return native;
  const request: { [name: string]: JsonValue } = { ...native.values };
  for (const [flag, { name, max }] of Object.entries(NUMBERS)) {
    const text = values.get(flag);
    if (text === undefined) continue;
    const value = numberOf(text);
    if (!(Number.isInteger(value) && value >= 1 && value <= max)) {
      return fault(`${flag} needs ${whole(max)}`);
    }
    request[name] = value;
  }
  const tasks = values.get("--background-tasks");
  if (tasks !== undefined) request["background_tasks"] = tasks;
  return {
    ok: true,
    prompt: promptPlace(operands[0], values.get("--file")),
    request,
    form: values.has("--json") ? "json" : values.has("--quiet") ? "answer" : "transcript",
    events: values.get("--events") ?? null,
    executable: values.get("--executable") ?? null,
    acceptNativeVersion: values.get("--accept-native-version") ?? null,
    oversizedFrames: (values.get("--oversized-frames") ?? "skip") as OversizedFrames,
    cwd: values.get("--cwd") ?? null,
  };
}

function promptPlace(operand: string | undefined, file: string | undefined): PromptPlace {
  if (file !== undefined && file !== "-") return { kind: "file", path: file };
  if (operand === undefined || operand === "-") {
    return { kind: "stdin", isAsked: operand === "-" || file === "-" };
  }
  return { kind: "argument", text: operand };
}

function whole(max: number): string {
  return `a whole number from 1 to ${max}`;
}

function fault(message: string): FlagFault {
  return { ok: false, message };
}
