/**
 * Whether clean-up can see and end what runs leave, and what earlier runs have left already.
 *
 * @module
 */
import { toAdapterError } from "../../base/errors.ts";
import { createProcessTable, type ProcessTable, type Self } from "../../host/process_table.ts";
import { askShell } from "../../host/shell_answer.ts";
import { systemPath } from "../../host/system_path.ts";
import { MARKER_NAME, parseMarkerValue } from "../../supervision/marker.ts";
import { findOrphans, type Orphan, orphanOf } from "../../supervision/orphans.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** The programs that clean-up may use; the first two are needed. */
const TOOLS = ["sh", "grep", "ps", "perl", "python3", "bash"] as const;
/** Lost runs that a line names. */
const MAX_NAMED = 4;

/** Everything about clean-up. Nothing is ended. */
export async function checkCleanup(
  env: { readonly [name: string]: string },
): Promise<readonly Finding[]> {
  const path = systemPath(env["PATH"]);
  const table = createProcessTable({ path });
  const script = 'for t do command -v "$t" >/dev/null 2>&1 && printf "%s\\n" "$t"; done; :';
  const { stdout } = await askShell(script, { args: TOOLS, path });
  const found = new Set(stdout.split("\n").filter((name) => name !== ""));
  const seen = await lookAround(table);
  return [
    judgeSight(seen, Deno.build.os),
    judgeTools(found, Deno.build.os),
    ...(seen.self === null ? [] : [await checkLostRuns(table, { self: seen.self, env })]),
  ];
}

/** What two looks at the process table showed. */
export interface Sight {
  /** Processes that can be seen, 0 when none can. */
  readonly processes: number;
  /** This process, when it can see itself. */
  readonly self: Self | null;
  /** Pid 1 is among them, so nobody is hidden; a sweep believes no look without it. */
  readonly seesAll: boolean;
  readonly detail: string;
}

async function lookAround(table: ProcessTable): Promise<Sight> {
  try {
    const { rows } = await table.look();
    const seesAll = rows.some(({ pid }) => pid === 1);
    return { processes: rows.length, self: await table.self(), seesAll, detail: "" };
  } catch (caught) {
    return { processes: 0, self: null, seesAll: false, detail: toAdapterError(caught).message };
  }
}

/** Whether processes and their environments can be seen. */
export function judgeSight({ processes, self, seesAll, detail }: Sight, os: string): Finding {
  const how = os === "darwin" ? "ps" : "/proc";
  if (self === null) {
    const fix = os === "darwin"
      ? "make sure /bin/sh and /bin/ps can be run"
      : "make sure /bin/sh and grep can be run, and that /proc is mounted and shows your own processes";
    return problem(
      "processes",
      `they cannot be seen, so no clean-up can be confirmed: ${detail}`,
      fix,
    );
  }
  const [why, fix] = !self.knowsNamespace
    ? [
      "the pid namespace cannot be told",
      "make sure that readlink can be run and /proc/self/ns/pid can be read",
    ] as const
    : !seesAll
    ? [
      "the processes of other users are hidden",
      "mount /proc without hidepid, if lost runs are to be swept",
    ] as const
    : [null, ""] as const;
  return why === null
    ? ok("processes", `${processes} can be seen through ${how}, with their environments`)
    : warning(
      "processes",
      `${processes} can be seen, but ${why}, so what lost runs leave is not swept`,
      fix,
    );
}

/** Whether the programs for clean-up are there. */
export function judgeTools(found: ReadonlySet<string>, os: string): Finding {
  const list = TOOLS.filter((name) => found.has(name)).join(", ");
  const needed = os === "darwin" ? ["sh", "ps"] : ["sh", "grep"];
  const missing = needed.filter((name) => !found.has(name));
  if (missing.length > 0) {
    return problem(
      "tools",
      `${missing.join(" and ")} cannot be found`,
      `install ${missing.join(" and ")}`,
    );
  }
  return os === "darwin" || found.has("perl") || found.has("python3")
    ? ok("tools", `there are ${list}`)
    : warning(
      "tools",
      `there are ${list}, but neither perl nor python3: a process that hides at once from its run can get away`,
      "install perl or python3",
    );
}

async function checkLostRuns(
  table: ProcessTable,
  { self, env }: { readonly self: Self; readonly env: { readonly [name: string]: string } },
): Promise<Finding> {
  const inside = parseMarkerValue(env[MARKER_NAME] ?? "");
  const about = { self: self.identity, namespace: self.namespace, inside };
  try {
    const first = findOrphans({ ...about, look: await table.look() });
    // Who is missing in one look, because it was only just born, is there in the next.
    const look = first.length === 0 ? null : await table.look();
    const lost = look === null
      ? []
      : first.map(({ token }) => orphanOf({ ...about, look }, token)).filter((one) => one !== null);
    return judgeLostRuns(lost);
  } catch (caught) {
    return warning(
      "lost runs",
      `nobody could look: ${toAdapterError(caught).message}`,
      "try again",
    );
  }
}

/** What runs whose adapter is gone have left. */
export function judgeLostRuns(lost: readonly Orphan[]): Finding {
  if (lost.length === 0) return ok("lost runs", "nothing of earlier runs is left");
  const named = lost.slice(0, MAX_NAMED).map(({ runId, carriers, supervisors }) => {
    const pids = [...carriers, ...supervisors].slice(0, MAX_NAMED).map(({ pid }) => pid);
    return `${runId} (process ${pids.join(", ")})`;
  });
  const more = lost.length > MAX_NAMED ? `, and ${lost.length - MAX_NAMED} more` : "";
  return warning(
    "lost runs",
    `processes of runs whose adapter is gone are still there: ${named.join("; ")}${more}`,
    "start a host that serves this program, or 'claude-code-adapter serve': it ends them a second later",
  );
}
