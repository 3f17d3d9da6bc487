/**
 * Runs an installed CLI through the whole contract and says what holds.
 *
 * @module
 */
import { visibleSentence } from "../base/visible.ts";
import type { Check, CheckHead, Finding } from "./check.ts";
import { systemClock } from "../host/clock.ts";
import { createLauncher } from "../host/launcher.ts";
import { supervisorCommand } from "../host/supervisor_command.ts";
import { startProxySink } from "../loopback/mod.ts";
import { MARKER_NAME } from "../supervision/marker.ts";
import type { Log } from "../supervision/ports.ts";
import { VERSION } from "./experiments/version.ts";
import { Lab, Unobserved } from "./lab.ts";
import type { CheckReport } from "./report.ts";
import { LAST_CHECKS, SUITE } from "./suite.ts";

/** How to verify. */
export interface VerifyOptions {
  /** Absolute. */
  readonly executable: string;
  /** An empty folder; everything that the CLI writes is below it. */
  readonly folder: string;
  /** This program's environment: for its supervisors, and so that an outer run knows the processes as its own. */
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  /** Ends everything; then the result says nothing. */
  readonly signal: AbortSignal;
  /** Hears of each check in the order of the report, as soon as it and those before it are decided. */
  readonly onCheck: (report: CheckReport) => void;
  /**
   * For one native process, in milliseconds.
   *
   * @default {30,000}
   */
  readonly deadlineMs?: number;
}

/** What was found. */
export interface VerifyOutcome {
  readonly checks: readonly CheckReport[];
  /** What `--version` printed, without white space at the ends; empty when it is no version text. */
  readonly versionText: string;
}

/** Verifies; every process that it started is gone when it resolves, or a check says what is left. */
export async function verify(options: VerifyOptions): Promise<VerifyOutcome> {
  const { executable, folder, env, log, signal } = options;
  await using sink = startProxySink();
  const outer = env[MARKER_NAME];
  const ports = {
    clock: systemClock,
    launcher: createLauncher({
      log,
      executable,
      env: outer === undefined ? {} : { [MARKER_NAME]: outer },
      supervisor: supervisorCommand(env),
    }),
  };
  const broken = new AbortController();
  const lab = new Lab({
    executable,
    folder,
    ports,
    env: proxied(sink.url),
    signal: AbortSignal.any([signal, broken.signal]),
    ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
  });
  const reports: CheckReport[] = [];
  const say = (report: CheckReport) => {
    reports.push(report);
    options.onCheck(report);
  };

  const [first, ...others] = SUITE;
  const version = await judge(first!, lab);
  say(version);
  if (!version.passed) lab.close(`not tried: ${version.finding}`);
  const judging = others.map((check) => judge(check, lab));
  for (const one of judging) one.catch(() => {}); // the first fault of ours is thrown below
  try {
    for (const one of judging) say(await one);
  } finally {
    if (reports.length <= others.length) broken.abort();
    await lab.settled();
  }
  const seen = { records: lab.records, asked: sink.requests };
  for (const { judge, ...head } of LAST_CHECKS) say(reportOf(head, judge(seen), 0));
  return {
    checks: reports,
    versionText: version.passed ? (await lab.observe(VERSION)).stdout.trim() : "",
  };
}

/** Everything that does not go to loopback is sent to the sink. */
function proxied(url: string): { readonly [name: string]: string } {
  const env: { [name: string]: string } = {};
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    env[name] = env[name.toLowerCase()] = url;
  }
  return { ...env, NO_PROXY: "127.0.0.1,localhost", no_proxy: "127.0.0.1,localhost" };
}

async function judge(check: Check, lab: Lab): Promise<CheckReport> {
  let finding: Finding;
  try {
    finding = await check.run(lab);
  } catch (caught) {
    if (!(caught instanceof Unobserved)) throw caught;
    finding = caught.message;
  }
  const ms = check.experiments.reduce((sum, one) => sum + lab.timeOf(one), 0);
  return reportOf(check, finding, ms / 1000);
}

function reportOf(
  { id, title, relies }: CheckHead,
  finding: Finding,
  seconds: number,
): CheckReport {
  return {
    id,
    title,
    relies,
    passed: finding === null,
    finding: finding === null ? null : visibleSentence(finding),
    seconds: Math.round(seconds * 1000) / 1000,
  };
}
