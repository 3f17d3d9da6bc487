/**
 * Reads what arrives on the supervisor's stdin.
 *
 * @module
 */
import { isObject } from "../base/json.ts";
import { WIRE_VERSION } from "../base/limits.ts";
import type { AdmittedBy, ExecutableCheck, Job, StopCommand } from "./job.ts";

/** Arguments in one job: the bound of an invocation. */
const MAX_ARGUMENTS = 16_384;
/** Executable checks in one job: the bound of the tree's format. */
const MAX_CHECKS = 4;
/** Outputs that one check accepts. */
const MAX_ACCEPTED = 16;
/** Environment variables in one job; no environment that a system accepts is larger. */
const MAX_VARIABLES = 65_536;

/** A job, or why the line is none. */
export type ParsedJob =
  | { readonly ok: true; readonly job: Job }
  | { readonly ok: false; readonly detail: string };

/** Reads the first line. */
export function parseJob(line: string): ParsedJob {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return refuse("is not JSON");
  }
  if (!isObject(value)) return refuse("is not an object");
  if (value.wire !== WIRE_VERSION) return refuse(`has wire version ${text(value.wire)}`);
  if (!isPid(value.supervisor_pid)) return refuse("has no supervisor_pid");
  if (!isArgument(value.executable) || !value.executable.startsWith("/")) {
    return refuse("has no absolute executable");
  }
  if (!isArguments(value.argv)) return refuse("has no usable argv");
  if (value.stdin !== null && typeof value.stdin !== "string") return refuse("has no usable stdin");
  if (!isEnvironment(value.env)) return refuse("has no usable env");
  if (!isChecks(value.checks)) return refuse("has no usable checks");
  if (!isMarker(value.marker)) return refuse("has no usable marker");
  if (value.cwd !== undefined && !(isArgument(value.cwd) && value.cwd.startsWith("/"))) {
    return refuse("has no usable cwd");
  }
  if (value.forward_stderr !== undefined && typeof value.forward_stderr !== "boolean") {
    return refuse("has no usable forward_stderr");
  }
  return { ok: true, job: value as unknown as Job };
}

/** Reads a later line; `null` when it is not a command. */
export function parseCommand(line: string): StopCommand | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return null;
    const { command } = value;
    return command === "stop" || command === "kill" ? { command } : null;
  } catch {
    return null;
  }
}

function refuse(detail: string): ParsedJob {
  return { ok: false, detail: `The job line ${detail}` };
}

function text(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 40);
}

function isPid(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 1;
}

function isArgument(value: unknown): value is string {
  return typeof value === "string" && !value.includes("\0");
}

function isArguments(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_ARGUMENTS && value.every(isArgument);
}

function isEnvironment(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length <= MAX_VARIABLES &&
    entries.every(([name, variable]) =>
      name !== "" && isArgument(name) && !name.includes("=") && isArgument(variable)
    );
}

function isChecks(value: unknown): value is readonly ExecutableCheck[] {
  return Array.isArray(value) && value.length <= MAX_CHECKS &&
    value.every((check) =>
      isObject(check) && isArguments(check.args) && Array.isArray(check.accepts) &&
      check.accepts.length <= MAX_ACCEPTED && check.accepts.every(isAccepted)
    );
}

function isAccepted(value: unknown): boolean {
  return isObject(value) && typeof value.stdout === "string" && typeof value.by === "string" &&
    Object.hasOwn(ADMITTED_BY, value.by);
}

const ADMITTED_BY: Readonly<Record<AdmittedBy, true>> = {
  tree: true,
  receipt: true,
  override: true,
};

function isMarker(value: unknown): boolean {
  return isObject(value) && typeof value.name === "string" && value.name !== "" &&
    typeof value.value === "string" && value.value !== "";
}
