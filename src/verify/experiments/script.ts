/**
 * Scripts of the loopback model that experiments share.
 *
 * @module
 */
import { answer, type Reply, route, type Rule, type Step, text } from "../../loopback/mod.ts";
import type { Experiment } from "../experiment.ts";

/** Always the same answer. */
export function always(reply: Reply): Experiment<unknown>["script"] {
  return () => () => reply;
}

/** The first matching rule answers; rules that give replies in turn count anew each time. */
export function byRules(rules: readonly Rule[]): Experiment<unknown>["script"] {
  return () => route(rules);
}

/** First these steps, such as a tool call, then `last` to whatever came of them. */
export function stepsThen(
  steps: readonly Step[],
  last: string | readonly Step[],
): Experiment<unknown>["script"] {
  return byRules([
    { is: "tool_result", reply: answer(typeof last === "string" ? [text(last)] : last) },
    { reply: answer(steps) },
  ]);
}
