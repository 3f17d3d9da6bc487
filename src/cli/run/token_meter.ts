/**
 * The tokens of a run while it goes on, added up message by message. Pure.
 *
 * Measured: at the end of a run the sum is what its result says, a message that was streamed twice included.
 *
 * @module
 */
import type { JsonObject } from "../../base/json.ts";
import { readMessageUsage } from "../../frames/native.ts";

/** Messages that may still grow: those of a handful of sub-agents at once. */
const MAX_MESSAGES = 64;

/** Tokens, sub-agents' included. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
}

/** Follows the frames of one run. */
export class TokenMeter {
  readonly #open = new Map<string, Tokens>();
  #total: Tokens = { input: 0, output: 0 };

  /** The sum so far. */
  get tokens(): Tokens {
    return this.#total;
  }

  /** Takes note of a frame; most say nothing about tokens. */
  observe(frame: JsonObject): void {
    const usage = readMessageUsage(frame);
    if (usage === null) return;
    const { messageId } = usage;
    const before = this.#open.get(messageId) ?? { input: 0, output: 0 };
    // One message is told of several times, its numbers only grow.
    const input = Math.max(before.input, usage.inputTokens ?? 0);
    const output = Math.max(before.output, usage.outputTokens ?? 0);
    this.#open.set(messageId, { input, output });
    this.#total = {
      input: this.#total.input + input - before.input,
      output: this.#total.output + output - before.output,
    };
    if (this.#open.size <= MAX_MESSAGES) return;
    const oldest = this.#open.keys().next();
    if (oldest.done !== true) this.#open.delete(oldest.value);
  }
}
