/**
 * A run through an adapter, from its start on.
 *
 * @module
 */
import type { Answer, McpClient } from "../support/mcp_client.ts";
import type { Moment, Plan } from "./plan.ts";
import { sleep, within } from "./waiting.ts";

/** The deadline of runs that are ended by one: the shortest there is. */
export const TIMEOUT_S: number = 1;

/** An answer takes no longer than this. */
export const ANSWER_MS: number = 60_000;

/** A run and what is asked about it over MCP. */
export class LiveRun {
  readonly plan: Plan;
  /** The adapter's pid. */
  readonly adapter: number;
  /** The settled value; `null` when it does not come. Never rejects. */
  readonly settled: Promise<Answer | null>;
  isSettled = false;
  /** Once the adapter has answered. */
  id: string | null = null;
  readonly #client: McpClient;
  readonly #started: Promise<string>;

  /** Starts it. */
  constructor(client: McpClient, plan: Plan) {
    this.plan = plan;
    this.adapter = client.pid;
    this.#client = client;
    const args = {
      prompt: plan.kind.name,
      ...(plan.end.asks === "timeout" ? { timeout_seconds: TIMEOUT_S } : {}),
    };
    this.#started = client.callTool("claude.run.start", args).then(({ value, text }) => {
      if (value.run_id === undefined) throw new Error(`the run was refused: ${text}`);
      return this.id = value.run_id as string;
    });
    // The answer to the start may never come; whoever needs it asks for it.
    this.#started.catch(() => {});
    this.settled = within(ANSWER_MS, this.#settle()).then((value) => {
      this.isSettled = true;
      return value;
    });
  }

  async #settle(): Promise<Answer> {
    const runId = await this.#started;
    for (;;) {
      const args = { run_id: runId, wait_seconds: 50 };
      const { value } = await this.#client.callTool("claude.run.result", args);
      if (value.completed === true) return value;
    }
  }

  /** Waits until the moment has come, or the run is over. */
  async moment(moment: Moment): Promise<void> {
    if (moment.after === "delay") return await sleep(moment.ms);
    const runId = await this.#started;
    for (let seen = 0; seen < moment.count;) {
      const args = { run_id: runId, after_cursor: seen, limit: moment.count, wait_seconds: 1 };
      const { value } = await this.#client.callTool("claude.run.events", args);
      // A run that hangs before its first event is struck there.
      if (value.completed === true || value.next_cursor === seen) return;
      seen = value.next_cursor;
    }
  }

  /** Asks the adapter to stop it. */
  async cancel(): Promise<void> {
    const runId = await this.#started;
    await this.#client.callTool("claude.run.cancel", { run_id: runId });
  }

  /** Closes the adapter's stdin. */
  leave(): void {
    // Whether and how it ends is looked at by whoever waits for its end.
    this.#client.close().catch(() => {});
  }
}
