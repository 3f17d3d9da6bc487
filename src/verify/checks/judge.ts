/**
 * Questions that several checks ask.
 *
 * @module
 */
import { isObject, type JsonObject } from "../../base/json.ts";
import { contentText, type LoggedRequest } from "../../loopback/mod.ts";
import { readAssistantError } from "../../frames/native.ts";
import { readVerdict } from "../../runs/verdict.ts";
import { judgeResult, type PrimaryResult } from "../../runs/primary_result.ts";
import type { Finding } from "../check.ts";
import { expectSame, expectThat, firstFinding, shown } from "../finding.ts";
import { initOf, type NativeRecord, rawResultsOf, resultsOf } from "../native_record.ts";

/** What the process said instead of what was expected, for the end of a finding. */
export function saidInstead(record: NativeRecord): string {
  const said = record.stderr.trim() || resultsOf(record).at(-1)?.result ||
    record.stdout.trim().slice(0, 300);
  const exit = record.exit === null ? "it ended unseen" : `exit code ${record.exit.code}`;
  return said === "" ? `${exit}, nothing was printed` : `${exit}, it said ${shown(said)}`;
}

/** The one result that is the answer, or a finding. */
export function primaryOf(
  record: NativeRecord,
): { readonly result: PrimaryResult; readonly finding: null } | {
  readonly result: null;
  readonly finding: string;
} {
  const [native] = resultsOf(record);
  if (native === undefined) {
    return { result: null, finding: `there is no result event: ${saidInstead(record)}` };
  }
  const reading = judgeResult(native);
  if (reading.kind === "primary") return { result: reading.result, finding: null };
  const reason = reading.kind === "invalid" ? reading.reason : "it says it answers a task";
  return { result: null, finding: `the result event is none that runs accept: ${reason}` };
}

/** Success, with this text and exit code 0. */
export function succeededWith(record: NativeRecord, text: string): Finding {
  const { result, finding } = primaryOf(record);
  if (result === null) return finding;
  return firstFinding(
    () => expectSame("is_error of the result", result.isError, false),
    () => expectSame("the result's text", result.text, text),
    () => exitedWith(record, 0),
  );
}

/** The exit code. */
export function exitedWith({ exit }: NativeRecord, code: number): Finding {
  if (exit === null) return "nobody saw the process end";
  if (exit.signal !== null) {
    return `a signal (${exit.signal}) ended it, instead of exit code ${code}`;
  }
  return expectSame("the exit code", exit.code, code);
}

/** A run that is judged as this failure, with exit code 1. */
export function failedAs(
  record: NativeRecord,
  wanted: { readonly code: string; readonly resumed?: boolean },
): Finding {
  const { result } = primaryOf(record);
  const errors = record.frames.map(readAssistantError).filter((error) => error !== null);
  const verdict = readVerdict({
    primary: result,
    latch: { errorWord: errors.at(-1)?.error ?? null, limitResetsAt: null, limitRejected: false },
    failedFollowUp: null,
    exitCode: record.exit?.code ?? null,
    stderrTail: record.stderr,
    resumed: wanted.resumed ?? false,
  });
  return firstFinding(
    () =>
      expectThat(
        verdict?.code === wanted.code,
        `it is read as ${verdict?.code ?? "no known failure"} instead of ${wanted.code}: ${
          saidInstead(record)
        }`,
      ),
    () => exitedWith(record, 1),
  );
}

/** Members of an object that have another type, or are missing. */
export function expectMembers(
  what: string,
  value: unknown,
  types: { readonly [name: string]: string },
): Finding {
  if (!isObject(value)) return `${what} is missing`;
  for (const [name, type] of Object.entries(types)) {
    const member: unknown = value[name];
    const actual = Array.isArray(member) ? "array" : member === null ? "null" : typeof member;
    if (actual !== type) {
      return `${what}: '${name}' is ${actual === "undefined" ? "missing" : actual}, not ${type}`;
    }
  }
  return null;
}

/** What the init event says of the mode. */
export function initSays(record: NativeRecord, mode: string): Finding {
  const init = initOf(record);
  if (init === null) return `there is no system/init event: ${saidInstead(record)}`;
  return expectSame(
    `--permission-mode=${mode}: permissionMode of system/init`,
    init.permissionMode,
    mode,
  );
}

/** The first request in which the model is told this by the user. */
export function firstTold(
  requests: readonly LoggedRequest[],
  text: string,
): LoggedRequest | undefined {
  return requests.find(({ body }) =>
    (body?.messages ?? []).some(({ role, content }) =>
      role === "user" && contentText(content).includes(text)
    )
  );
}

/** What every request to the model says of the effort. */
export function effortIs(requests: readonly LoggedRequest[], level: string): Finding {
  if (requests.length === 0) return `--effort=${level}: the model was not asked`;
  const said = requests.map(({ body }) => {
    const config = body?.["output_config"];
    return typeof config === "object" && config !== null
      ? (config as JsonObject)["effort"]
      : undefined;
  });
  const other = said.find((effort) => effort !== level);
  return said.every((effort) => effort === level)
    ? null
    : `--effort=${level}: the request to the model says ${shown(other)}`;
}

/** A tool call that did not run and is said to be denied, in the result too. */
export function deniedTool(record: NativeRecord, tool: string): Finding {
  const denials = rawResultsOf(record)[0]?.["permission_denials"];
  const names = Array.isArray(denials)
    ? denials.map((denial) => isObject(denial) ? denial["tool_name"] : undefined)
    : [];
  return expectThat(
    names.includes(tool),
    `permission_denials of the result does not name ${tool}, but ${shown(denials)}`,
  );
}
