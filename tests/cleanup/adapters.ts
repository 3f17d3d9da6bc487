/**
 * Real adapters with runs of the stand-in beside this file, and a view of the processes of those runs.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { cleanEnv } from "../cli/adapter.ts";
import { type Answer, McpClient } from "../helpers/mcp_client.ts";
import { endProcess, liveProcesses, until } from "../helpers/processes.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";

/** The stand-in; its first lines say what it does. */
export const STAND_IN = decodeURIComponent(new URL("stand_in", import.meta.url).pathname);

/** What a run leaves. */
export interface Shape {
  readonly name: string;
  /** The stand-in's word for it. */
  readonly word: string;
  /** The processes that say their pid. */
  readonly tells: readonly string[];
  /** SIGTERM is not enough. */
  readonly ignoresTerm?: true;
}

/** A run without anything but the native process. */
export const PLAIN: Shape = { name: "nothing", word: "plain", tells: [] };

/** Everything a run was seen to leave in the field. */
export const SHAPES: readonly Shape[] = [
  { name: "a child and a grandchild in its group", word: "group", tells: ["child", "grandchild"] },
  { name: "a child in a session of its own", word: "session", tells: ["child"] },
  { name: "a daemon that forked twice", word: "daemon", tells: ["daemon"] },
  {
    name: "processes that ignore SIGTERM",
    word: "ignores",
    tells: ["child", "stray"],
    ignoresTerm: true,
  },
  { name: "a storm of 200 short-lived children", word: "storm", tells: ["storm"] },
  { name: "a child that holds stdout", word: "holder", tells: ["holder"] },
];

/** Starts an adapter from source with the permissions it is shipped with. */
export function startAdapter(
  env: { readonly [name: string]: string } = {},
  executable: string = STAND_IN,
): Promise<McpClient> {
  return McpClient.connect({
    cwd: Deno.cwd(),
    env: cleanEnv(env),
    args: ["serve", "--log-level=info", `--executable=${executable}`],
  });
}

/** A run that is live. */
export interface LiveRun {
  readonly id: string;
  readonly shape: Shape;
  readonly supervisor: ProcessRow;
  readonly native: ProcessRow;
  /** All that was seen of it: the native process, what was announced, and whatever else carries its token. */
  readonly processes: readonly ProcessRow[];
}

/** What a run does after it has started what its shape says. */
export interface StartOptions {
  /** Default: stays. */
  readonly gate?: string;
  /** Default: 600. */
  readonly timeoutSeconds?: number;
}

/** Starts a run and waits until all that its shape names is there. Throws when the run settles before. */
export async function startRun(
  client: McpClient,
  shape: Shape,
  options: StartOptions = {},
): Promise<LiveRun> {
  const words = options.gate === undefined ? "stay" : `gate ${options.gate}`;
  const { value } = await client.callTool("claude.run.start", {
    prompt: `${shape.word} ${words}`,
    session_id: crypto.randomUUID(), // the stand-in would say the same one for every run
    timeout_seconds: options.timeoutSeconds ?? 600,
  });
  const id = String(value.run_id);
  const pids = await announced(client, { id, shape });
  const rows = await liveProcesses();
  const supervisor = rows.find((row) => row.supervises?.endsWith(`.${id}`));
  const native = rows.find((row) => row.ppid === supervisor?.pid && carries(row, id));
  if (supervisor === undefined || native === undefined) throw new Error(`Run ${id} is not live`);
  const processes = rows.filter((row) => carries(row, id) || pids.includes(row.pid));
  for (const pid of shape.word === "storm" ? [] : pids) {
    assertEquals(processes.some((row) => row.pid === pid), true, `process ${pid} of ${shape.word}`);
  }
  return { id, shape, supervisor, native, processes };
}

/** The pids that a run has announced, as soon as all are there. */
async function announced(
  client: McpClient,
  { id, shape }: { readonly id: string; readonly shape: Shape },
): Promise<readonly number[]> {
  const pids = new Map<string, number>();
  for (let cursor = 0; cursor === 0 || pids.size < shape.tells.length;) {
    const { value } = await client.callTool("claude.run.events", {
      run_id: id,
      after_cursor: cursor,
      wait_seconds: 20,
    });
    for (const { event } of value.events) {
      if (event.subtype === "fake_process") pids.set(event.name, event.pid);
    }
    if (value.completed) throw new Error(`Run ${id} settled early: ${JSON.stringify(value)}`);
    cursor = value.next_cursor;
  }
  return [...pids.values()];
}

/** The settled value of a run. */
export async function settledValue(client: McpClient, id: string): Promise<Answer> {
  while (true) {
    const { value } = await client.callTool("claude.run.result", { run_id: id, wait_seconds: 50 });
    if (value.completed) return value;
  }
}

/** What is left of a run at this moment, its supervisor apart. */
export async function leftOf(run: LiveRun): Promise<readonly string[]> {
  return describe(await liveProcesses(), run);
}

/** Waits, bounded, until nothing is left of runs and their supervisors; tells what is, otherwise. */
export async function waitUntilGone(
  runs: readonly LiveRun[],
  ms = 20_000,
): Promise<readonly string[]> {
  let left: readonly string[] = [];
  const look = async () => {
    const rows = await liveProcesses();
    left = runs.flatMap((run) => [
      ...describe(rows, run),
      ...rows.filter((row) => isSame(row, run.supervisor)).map((row) =>
        `supervisor ${row.pid} of run ${run.id}`
      ),
    ]);
    return left.length === 0;
  };
  await until(look, { ms }).catch(() => {});
  return left;
}

/** Ends what a failed test would leave behind. */
export async function endLeftovers(runs: readonly LiveRun[]): Promise<void> {
  for (const row of await liveProcesses()) {
    const isLeft = runs.some((run) =>
      carries(row, run.id) || [run.supervisor, ...run.processes].some((one) => isSame(one, row))
    );
    if (isLeft) endProcess(row.pid);
  }
}

function describe(rows: readonly ProcessRow[], run: LiveRun): readonly string[] {
  return rows
    .filter((row) => carries(row, run.id) || run.processes.some((one) => isSame(one, row)))
    .map((row) => `${row.name} ${row.pid} of run ${run.id} (${run.shape.word})`);
}

function carries(row: ProcessRow, id: string): boolean {
  return row.tokens.some((token) => token.endsWith(`.${id}`));
}

/** The same process, and not a later one with its pid. */
export function isSame(one: ProcessRow, other: ProcessRow): boolean {
  return one.pid === other.pid && one.start === other.start;
}
