/**
 * Processes that look as if they belonged to a run and do not.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { createProcessTable } from "../../src/host/process_table.ts";
import { encodeToken, MARKER_NAME, SUPERVISOR_NAME } from "../../src/supervision/marker.ts";
import { liveProcesses } from "../helpers/processes.ts";

/** Bystanders; they live until they are disposed of. */
export interface Bystanders extends AsyncDisposable {
  /** Asserts that every one of them lives. */
  assertAlive(): Promise<void>;
}

/** How to look like a part of a run. */
export interface BystanderOptions {
  /** A token of the run that they must not be taken for. */
  readonly token: string;
  /** A token of an adapter that lives. */
  readonly living: string;
}

/** Starts one of every kind, each in a session of its own, as this process's children. */
export async function startBystanders(options: BystanderOptions): Promise<Bystanders> {
  const { token, living } = options;
  const { namespace, identity } = await createProcessTable().self();
  const elsewhere = encodeToken({ namespace: namespace + 1, adapter: gone(), runId: "elsewhere" })!;
  const own = encodeToken({ namespace, adapter: identity, runId: "own" })!;
  const kinds: readonly {
    readonly what: string;
    readonly env?: { readonly [name: string]: string };
    readonly argument?: string;
  }[] = [
    { what: "a stranger" },
    { what: "the marker in an argument", argument: `${MARKER_NAME}=${token}` },
    { what: "the marker in another variable", env: { MENTION: `${MARKER_NAME}=${token}` } },
    { what: "the marker on a line of its own", env: { TEXT: `x\n${MARKER_NAME}=${token}\ny` } },
    { what: "a longer name", env: { [`NOT_${MARKER_NAME}`]: token } },
    { what: "a name that goes on", env: { [`${MARKER_NAME}_ID`]: token } },
    { what: "a token that goes on", env: { [MARKER_NAME]: `${token}.x` } },
    { what: "a token with a space", env: { [MARKER_NAME]: `${token} ` } },
    { what: "one token of two malformed", env: { [MARKER_NAME]: `${token},nonsense` } },
    { what: "half a token", env: { [MARKER_NAME]: token.split(".").slice(0, 3).join(".") } },
    { what: "an empty marker", env: { [MARKER_NAME]: "" } },
    { what: "a living adapter's run", env: { [MARKER_NAME]: living } },
    {
      what: "a living run that a lost one started",
      env: { [MARKER_NAME]: `${lost(namespace)},${living}` },
    },
    {
      what: "a lost run inside a living one",
      env: { [MARKER_NAME]: `${living},${lost(namespace)}` },
    },
    { what: "a run of this very process", env: { [MARKER_NAME]: own } },
    { what: "a supervisor of a living run", env: { [SUPERVISOR_NAME]: living } },
    { what: "another namespace's run", env: { [MARKER_NAME]: elsewhere } },
    { what: "another namespace's supervisor", env: { [SUPERVISOR_NAME]: elsewhere } },
    { what: "a malformed supervisor", env: { [SUPERVISOR_NAME]: "supervise" } },
  ];
  const children = kinds.map(({ what, env = {}, argument = "" }) => ({
    what,
    child: new Deno.Command("/bin/sh", {
      args: ["-c", "read line", "sh", argument],
      clearEnv: true,
      env: { ...env },
      stdin: "piped",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn(),
  }));
  return {
    async assertAlive() {
      const alive = new Set((await liveProcesses()).map((row) => row.pid));
      const gone = children.filter(({ child }) => !alive.has(child.pid));
      assertEquals(gone.map(({ what }) => what), []);
    },
    async [Symbol.asyncDispose]() {
      for (const { child } of children) {
        await child.stdin.close().catch(() => {});
        await child.status;
      }
    },
  };
}

/** An adapter that was never there: pid numbers end at 4,194,304. */
const gone = () => ({ pid: 4_999_999, start: 1 });

/** A token of an adapter that is gone. */
export function lost(namespace: number, runId = "lost"): string {
  return encodeToken({ namespace, adapter: gone(), runId })!;
}
