/**
 * The `doctor` command: what is wrong with this set-up, and what to do about it.
 *
 * @module
 */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { createLog } from "../host/log.ts";
import { openHostPorts } from "../library/host_ports.ts";
import { checkCleanup } from "./doctor/cleanup.ts";
import { checkExecutable } from "./doctor/executable.ts";
import { type DoctorReport, type Finding, findingLines, worstOf } from "./doctor/finding.ts";
import {
  checkStateFolder,
  configFolder,
  judgeConfigFolder,
  lookAtFolder,
} from "./doctor/folders.ts";
import { checkHostFiles } from "./doctor/host_files.ts";
import { judgeLogin } from "./doctor/login.ts";
import { checkDenoPermissions } from "./doctor/permissions_check.ts";
import { EXECUTABLE_PATH, readFlags, VERSION_TEXT } from "./flags.ts";
import { checkPermissions } from "./permissions.ts";
import { answer, OUTPUT_EXITS_HELP, sayUsage } from "./say.ts";

/** The text of `doctor --help`. */
export const help: string = `${PROGRAM_NAME} doctor [options]

Looks at this machine and says what is wrong and what to do about it: the claude that runs use and
whether they admit it, the log-in (from names alone; no credential is read), what clean-up needs,
what earlier runs have left, folders, permissions, and the hosts that start this program. Nothing is
changed, no process is ended, and no prompt is sent.

Options:
  --executable ABSOLUTE_PATH    the claude to look at (else CLAUDE_CODE_EXECUTABLE, else from PATH)
  --accept-native-version TEXT  as it is given to serve
  --json                        print one JSON report instead of lines

Exit codes:
  0    no problem; there may be warnings
  1    at least one problem
  2    wrong usage
${OUTPUT_EXITS_HELP}`;

/** Looks; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readFlags({
    "--executable": EXECUTABLE_PATH,
    "--accept-native-version": VERSION_TEXT,
    "--json": { kind: "switch" },
  }, args);
  if (!read.ok) return sayUsage("doctor", read.message);
  const report = await examine({
    executable: read.values.get("--executable") ?? null,
    acceptNativeVersion: read.values.get("--accept-native-version") ?? null,
  });
  const text = read.values.has("--json")
    ? `${JSON.stringify(report, null, 2)}\n`
    : findingLines(report);
  return answer("doctor", text) ?? (report.status === "problem" ? 1 : 0);
}

interface Settings {
  readonly executable: string | null;
  readonly acceptNativeVersion: string | null;
}

async function examine(settings: Settings): Promise<DoctorReport> {
  const findings: Finding[] = [checkDenoPermissions(settings.executable)];
  // Without them nothing else can be looked at.
  if (checkPermissions(settings.executable)?.fatal !== true) {
    findings.push(...await lookAtEverything(settings));
  }
  const { os, arch, standalone } = Deno.build;
  return {
    format_version: 1,
    status: worstOf(findings),
    program: { version: VERSION, runtime: Deno.version.deno, os, arch, standalone },
    findings,
  };
}

async function lookAtEverything(settings: Settings): Promise<readonly Finding[]> {
  const { executable, acceptNativeVersion } = settings;
  // What admission would log is among the findings.
  const ports = openHostPorts({
    log: createLog({ level: "error" }),
    ...(executable !== null && { executable }),
    ...(acceptNativeVersion !== null && { acceptNativeVersion }),
  });
  const { env } = ports;
  const folder = configFolder(env);
  const config = folder === null ? null : await lookAtFolder(folder, env);
  const set = new Set(Object.keys(env).filter((name) => env[name] !== ""));
  return [
    ...await checkExecutable({ ports, configured: executable }),
    judgeLogin({ set, folder, folderExists: config?.exists ?? false }),
    judgeConfigFolder(config),
    await checkStateFolder(env),
    ...await checkCleanup(env),
    ...await checkHostFiles({ env, cwd: Deno.cwd() }),
  ];
}
