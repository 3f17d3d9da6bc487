/**
 * One adapter in a place of its own, and the cycles that it goes through. An adapter that was ended by a cycle is
 * followed by a new one in the same place, as a host would start it again.
 *
 * @module
 */
import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, makePlace, type Place } from "../support/place.ts";
import { ANSWER_MS, LiveRun, TIMEOUT_S } from "./live_run.ts";
import type { End, Plan, Strike } from "./plan.ts";
import { sleep, within } from "./waiting.ts";
import { look, named, type Seen } from "./witness.ts";

/** How a cycle went. */
export interface CycleResult {
  readonly plan: Plan;
  /** The kind of end; a run with nothing to strike has ended before, or was cancelled. */
  readonly end: string;
  /** Milliseconds from the end's first act to the answer, or to nothing being left where nobody answers. */
  readonly ms: number;
  /** What was alive when it should not have been. */
  readonly leftOvers: readonly string[];
  /** What an answer claimed and was not so. */
  readonly falseClaims: readonly string[];
  /** An answer that does not say that clean-up was confirmed. Honest, and yet not what anybody wants. */
  readonly unconfirmed: boolean;
  /** Left by an adapter and a supervisor killed together, and ended by the next adapter's start. */
  readonly swept: number;
  readonly escalated: boolean;
}

/** Where to run. */
export interface LaneOptions {
  /** Start of the folder's name. */
  readonly prefix: string;
  /** The executable, or the text of one. */
  readonly executable: { readonly path: string } | { readonly script: string };
  /** The model's base URL. */
  readonly url: string;
}

/** A living supervisor ends after its last receipt within this time. */
const OURS_MS = 2_000;
/** When nobody answers, everything is gone within this time: the ladder's 8 s, and a busy machine. */
const GONE_MS = 20_000;
/** The process to strike appears within this time, or the run is over. */
const FIND_MS = 3_000;

/** An adapter after the other. */
export class Lane implements AsyncDisposable {
  readonly #place: Place;
  readonly #env: Record<string, string>;
  readonly #executable: string;
  #client: McpClient | null = null;

  private constructor(place: Place, env: Record<string, string>, executable: string) {
    this.#place = place;
    this.#env = env;
    this.#executable = executable;
  }

  /** Makes the place; the first cycle starts the adapter. */
  static async open(options: LaneOptions): Promise<Lane> {
    const place = await makePlace({ prefix: options.prefix, allowBash: true });
    const env = await adapterEnv({ place, url: options.url });
    let executable: string;
    if ("script" in options.executable) {
      executable = `${place.root}/claude`;
      await Deno.writeTextFile(executable, options.executable.script, { mode: 0o755 });
    } else executable = options.executable.path;
    return new Lane(place, env, executable);
  }

  /** Goes through one cycle. Rejects only when the lane itself is broken. */
  async cycle(plan: Plan): Promise<CycleResult> {
    const client = await this.#adapter();
    const begun = performance.now();
    const run = new LiveRun(client, plan);
    await run.moment(plan.moment);
    const act = await this.#act(run, plan);
    const struck = plan.end.asks === "timeout" ? begun + TIMEOUT_S * 1000 : act.at;
    const result = await this.#outcome({ run, client, end: plan.end, missed: act.missed, struck });
    await this.#restore(run, result);
    // A run may also be over before its deadline.
    const isStruck = !act.missed && result.ms >= 0;
    return { plan, end: isStruck ? plan.end.name : "nothing to strike", ...result };
  }

  /** Ends the adapter and whatever is left, and removes the place. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client?.close().catch(() => {});
    await this.#place[Symbol.asyncDispose]();
  }

  async #adapter(): Promise<McpClient> {
    this.#client ??= await McpClient.connect({
      cwd: this.#place.project,
      env: this.#env,
      args: ["serve", `--executable=${this.#executable}`],
    });
    return this.#client;
  }

  /** Asks and strikes. */
  async #act(run: LiveRun, plan: Plan): Promise<{ readonly at: number; readonly missed: boolean }> {
    const { end } = plan;
    const at = performance.now();
    if (end.asks === "cancel") await run.cancel();
    if (end.asks === "stdin_eof") run.leave();
    if (end.asks === "cancel" && end.strikes.length > 0) await sleep(plan.pauseMs);
    // All are found before the first is struck, as after that some cannot be told any more.
    const found: { readonly pid: number; readonly strike: Strike }[] = [];
    for (const strike of end.strikes) {
      const pid = await this.#find(run, { target: strike.target, lot: plan.lot });
      if (pid === null) {
        // Not every run has a tool. One that goes on is cancelled.
        const at = performance.now();
        if (!run.isSettled) await run.cancel();
        return { at, missed: true };
      }
      found.push({ pid, strike });
    }
    const struckAt = end.asks === "cancel" ? at : performance.now();
    for (const { pid, strike } of found) send(pid, strike.signal);
    if (end.then === "cancel") {
      await sleep(plan.pauseMs);
      await run.cancel();
    }
    return { at: struckAt, missed: false };
  }

  /** The process to strike, as soon as it is there; `null` when the run is over first. */
  async #find(
    run: LiveRun,
    { target, lot }: { readonly target: Strike["target"]; readonly lot: number },
  ): Promise<number | null> {
    if (target === "adapter") return run.adapter;
    const until = performance.now() + FIND_MS;
    while (performance.now() < until && !run.isSettled) {
      const rows = look(this.#place.root);
      const ours = rows.find((row) => row.isOurs && row.ppid === run.adapter);
      if (ours !== undefined) {
        if (target === "supervisor") return ours.pid;
        const claude = rows.find((row) => !row.isOurs && row.ppid === ours.pid);
        if (target === "claude" && claude !== undefined) return claude.pid;
        const tools = rows.filter((row) => !row.isOurs && row.pid !== claude?.pid);
        if (target === "tool" && tools.length > 0) {
          return tools[Math.floor(lot * tools.length)]!.pid;
        }
      }
      await sleep(10);
    }
    return null;
  }

  async #outcome(
    { run, client, end, missed, struck }: {
      readonly run: LiveRun;
      readonly client: McpClient;
      readonly end: End;
      readonly missed: boolean;
      readonly struck: number;
    },
  ): Promise<Omit<CycleResult, "plan" | "end">> {
    const strikes = missed ? [] : end.strikes;
    const isKilled = strikes.some((one) => one.target === "adapter" && one.signal === "SIGKILL");
    const isTold = end.asks === "stdin_eof" || strikes.some((one) => one.target === "adapter");
    if (isKilled) {
      await client.ended;
      const unwatched = strikes.some((one) => one.target === "supervisor");
      return unwatched ? await this.#afterSweep(struck) : await this.#afterDeath(struck);
    }
    if (isTold) return await this.#afterExit(client, struck);
    return await this.#afterAnswer({ run, struck, isQuiet: end.strikes.length === 0 });
  }

  /** The adapter lives and answers. */
  async #afterAnswer(
    { run, struck, isQuiet }: {
      readonly run: LiveRun;
      readonly struck: number;
      readonly isQuiet: boolean;
    },
  ): Promise<Omit<CycleResult, "plan" | "end">> {
    const value = await run.settled;
    const alive = look(this.#place.root).filter((row) => !row.isOurs);
    const ms = performance.now() - struck;
    const falseClaims: string[] = [];
    if (value === null) falseClaims.push(`no answer within ${ANSWER_MS} ms`);
    const confirmed = value?.cleanup_confirmed === true;
    if (confirmed) falseClaims.push(...alive.map((row) => `confirmed, and alive: ${named(row)}`));
    const claimsSuccess = value !== null && value.error === undefined;
    if (claimsSuccess && !(confirmed && value.exit_code === 0)) {
      falseClaims.push(`success with exit code ${value.exit_code}, confirmed: ${confirmed}`);
    }
    const { kind, end } = run.plan;
    if (isQuiet && end.asks === "nothing" && kind.ends === "answers" && !claimsSuccess) {
      falseClaims.push(`an undisturbed run failed: ${JSON.stringify(value?.error)}`);
    }
    const rest = await this.#gone(OURS_MS);
    return {
      ms,
      leftOvers: rest.map(named),
      falseClaims,
      unconfirmed: !confirmed,
      swept: 0,
      escalated: value?.cleanup?.escalated === true,
    };
  }

  /** The adapter was asked to go: when it has gone, so has all that it ran. */
  async #afterExit(
    client: McpClient,
    struck: number,
  ): Promise<Omit<CycleResult, "plan" | "end">> {
    const ended = await within(ANSWER_MS, client.ended);
    const alive = look(this.#place.root).filter((row) => !row.isOurs);
    const ms = performance.now() - struck;
    this.#client = null;
    const rest = await this.#gone(OURS_MS);
    return {
      ms,
      leftOvers: rest.map(named),
      falseClaims: ended === null
        ? ["the adapter did not end"]
        : alive.map((row) => `the adapter has ended, and alive: ${named(row)}`),
      unconfirmed: false,
      swept: 0,
      escalated: false,
    };
  }

  /** The adapter is dead: its supervisors see to it. */
  async #afterDeath(struck: number): Promise<Omit<CycleResult, "plan" | "end">> {
    this.#client = null;
    const rest = await this.#gone(GONE_MS);
    return { ...NOBODY_ANSWERS, ms: performance.now() - struck, leftOvers: rest.map(named) };
  }

  /** The adapter and the supervisor are dead: the next adapter's start sees to it. */
  async #afterSweep(struck: number): Promise<Omit<CycleResult, "plan" | "end">> {
    const left = look(this.#place.root);
    this.#client = null;
    await this.#adapter();
    const rest = await this.#gone(GONE_MS);
    return {
      ...NOBODY_ANSWERS,
      ms: performance.now() - struck,
      leftOvers: rest.map(named),
      swept: left.length - rest.length,
    };
  }

  /** Waits until nothing is left but the adapter; what is still there after `ms`. */
  async #gone(ms: number): Promise<readonly Seen[]> {
    const until = performance.now() + ms;
    while (true) {
      const rest = this.#others();
      if (rest.length === 0 || performance.now() > until) return rest;
      await sleep(20);
    }
  }

  /** Makes the lane fit for the next cycle: what is left is ended here, so that it is counted once. */
  async #restore(
    run: LiveRun,
    result: Pick<CycleResult, "leftOvers" | "unconfirmed">,
  ): Promise<void> {
    const isSame = this.#client?.pid === run.adapter;
    if (result.leftOvers.length > 0 || result.unconfirmed) {
      await this.#client?.close().catch(() => {});
      this.#client = null;
    } else if (isSame && run.id !== null) {
      await this.#client?.callTool("claude.run.release", { run_id: run.id });
    }
    // Again and again, since what is ended may have forked meanwhile.
    for (let rest = this.#others(); rest.length > 0; rest = this.#others()) {
      for (const { pid } of rest) send(pid, "SIGKILL");
      await sleep(20);
    }
  }

  /** Everything but the adapter, and the one supervisor that it may keep ready for the next run. */
  #others(): readonly Seen[] {
    const rows = look(this.#place.root);
    const adapter = this.#client?.pid;
    const ready = rows.findLast((row) =>
      row.isOurs && row.ppid === adapter && !rows.some(({ ppid }) => ppid === row.pid)
    );
    return rows.filter((row) => row.pid !== adapter && row !== ready);
  }
}

const NOBODY_ANSWERS = {
  falseClaims: [],
  unconfirmed: false,
  swept: 0,
  escalated: false,
};

function send(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}
