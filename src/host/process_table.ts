/**
 * Looks at the process table of this machine.
 *
 * @module
 */
import { MARKER_NAME, SUPERVISOR_NAME } from "../supervision/marker.ts";
import type { Identity, Look, LookKind } from "../supervision/process_row.ts";
import {
  LINUX_LOOK,
  LINUX_NO_NEWS,
  LINUX_SELF,
  LOOK_FORKS,
  MACOS_LOOK,
  MACOS_SELF,
  parseLinuxLook,
  parseMacosLook,
  parsePsRow,
  parseStat,
} from "./look_script.ts";
import { systemPath } from "./system_path.ts";

/** A look that takes longer has failed. */
const LOOK_TIMEOUT_MS = 4_000;

/**
 * What the looking shell itself carries as its marker. It must show up in what it prints, which proves at each
 * look that environments can be read; it is nobody's run.
 */
const PROBE_TOKEN = "0.0.0.look";

const LOOKED_FOR = { marker: MARKER_NAME, supervisor: SUPERVISOR_NAME };

/** The process table. */
export interface ProcessTable {
  /**
   * Takes a look. Looks are taken one after another. Throws `Error` when it did not work.
   *
   * @param kind Default: `full`. Where one saves nothing, on macOS, every look is.
   */
  look(kind?: LookKind): Promise<Look>;
  /**
   * Whether a process may have been born since the last look, or since the last time this was asked. It asks for the
   * pid that comes next, so anything else that was born on this machine is news too, and so is whatever cannot be told.
   * A fifth of the price of a look (measured: 1.5 ms). Never rejects.
   */
  hasNews(): Promise<boolean>;
  /** This process. Looked up once; a failure (`Error`) is not remembered. */
  self(): Promise<Self>;
}

/** Who looks. */
export interface Self {
  readonly identity: Identity;
  /** The pid namespace's number, 0 where there is none or it cannot be told. */
  readonly namespace: number;
  /** Whether `namespace` tells apart what has to be told apart: not where there are namespaces and it is 0. */
  readonly knowsNamespace: boolean;
}

/** Makes a table; `path` is where its tools are searched. Default: the system's own folders. */
export function createProcessTable(options: { readonly path?: string } = {}): ProcessTable {
  const path = options.path ?? systemPath(undefined);
  const macos = Deno.build.os === "darwin";
  let queue: Promise<unknown> = Promise.resolve();
  // What the next process gets for its pid if nobody is born before it.
  let nextPid: number | null = null;
  let hasGrepZ = false;

  const look = async (kind: LookKind): Promise<Look> => {
    nextPid = null;
    if (macos) return parseMacosLook(await runScript(MACOS_LOOK, path), LOOKED_FOR);
    const text = await runScript(LINUX_LOOK, path, [kind, hasGrepZ ? "z" : ""]);
    const seen = parseLinuxLook(text, LOOKED_FOR);
    const probe = seen.rows.find((row) => row.pid === seen.looker);
    if (!probe?.tokens.includes(PROBE_TOKEN)) {
      throw new Error("Environments of processes cannot be read here");
    }
    hasGrepZ = seen.last !== undefined; // only that way says it
    if (seen.last !== undefined) nextPid = seen.last + LOOK_FORKS[kind] + 1;
    return seen;
  };

  const hasNews = async (): Promise<boolean> => {
    const pid = nextPid;
    nextPid = null;
    if (pid === null || !await isYoungest(pid, path)) return true;
    nextPid = pid + 1;
    return false;
  };

  let known: Promise<Self> | null = null;
  const self = async (): Promise<Self> => {
    const text = await runScript(macos ? MACOS_SELF : LINUX_SELF, path);
    const first = text.indexOf("\n");
    const row = macos ? parsePsRow(text.trimEnd()) : parseStat(text.slice(first + 1), -1);
    if (row === null || row.pid !== Deno.pid) throw new Error("This process cannot see itself");
    const namespace = macos ? 0 : Number(/\[(\d+)\]/.exec(text.slice(0, first))?.[1] ?? 0);
    return {
      identity: { pid: row.pid, start: row.start },
      namespace,
      knowsNamespace: macos || namespace > 0,
    };
  };

  return {
    look(kind = "full") {
      const taken = () => look(kind);
      const next = queue.then(taken, taken);
      queue = next.catch(() => {});
      return next;
    },
    hasNews,
    self() {
      known ??= self().catch((caught) => {
        known = null;
        throw caught;
      });
      return known;
    },
  };
}

/**
 * Runs a script in a session of its own, so that a signal to the group does not hit it, and with no more
 * environment than it needs: a shell function in an inherited variable could stand in for `grep`.
 */
async function runScript(
  script: string,
  path: string,
  args: readonly string[] = [],
): Promise<string> {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", MARKER_NAME, SUPERVISOR_NAME, ...args],
    clearEnv: true,
    env: { PATH: path, LC_ALL: "C", [MARKER_NAME]: PROBE_TOKEN },
    cwd: "/",
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const timer = setTimeout(() => killQuietly(child), LOOK_TIMEOUT_MS);
  try {
    const [output] = await Promise.all([new Response(child.stdout).text(), child.status]);
    return output;
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a shell gets the pid and nobody is younger. It prints nothing: a pipe would cost as much again (measured). */
async function isYoungest(pid: number, path: string): Promise<boolean> {
  try {
    const { success } = await new Deno.Command("/bin/sh", {
      args: ["-c", LINUX_NO_NEWS, "sh", String(pid)],
      clearEnv: true,
      env: { PATH: path, LC_ALL: "C" },
      cwd: "/",
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn().status;
    return success;
  } catch {
    return false;
  }
}

function killQuietly(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It ended between the timer and the signal.
  }
}
