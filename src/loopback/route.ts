/** Picks replies by the state of the conversation, so that woken turns and sub-agents get theirs. */

import type { Failure, Reply } from "./reply.ts";
import { lastToolResults, lastUserText, type LoggedRequest } from "./request.ts";

/** One rule: all its conditions must hold, and it must have a reply left. */
export interface Rule {
  /** Text the last user message contains (a prompt, a tool result, a notification), or a pattern. */
  readonly says?: string | RegExp;
  /**
   * What the last user message is: a plain prompt, tool results, or the notice that a background task ended.
   */
  readonly is?: "prompt" | "tool_result" | "task_notification";
  /** Any other condition. */
  readonly when?: (request: LoggedRequest) => boolean;
  /** The reply, or replies given in turn: each once, so a used up list lets later rules match. */
  readonly reply: Reply | readonly Reply[];
}

/** What the last user message of a request is. */
export function conversationState(request: LoggedRequest): NonNullable<Rule["is"]> {
  if (lastUserText(request).includes("<task-notification>")) return "task_notification";
  return lastToolResults(request).length > 0 ? "tool_result" : "prompt";
}

/**
 * A script that answers with the first matching rule.
 *
 * @param rules The rules, first match first.
 * @returns A script for the loopback model; it keeps count of used replies, so make one for each model.
 */
export function route(rules: readonly Rule[]): (request: LoggedRequest) => Reply | undefined {
  const used = new Map<Rule, number>();
  return (request) => {
    for (const rule of rules) {
      if (!matches(rule, request)) continue;
      if (!isList(rule.reply)) return rule.reply;
      const position = used.get(rule) ?? 0;
      const reply = rule.reply[position];
      if (reply === undefined) continue;
      used.set(rule, position + 1);
      return reply;
    }
    return undefined;
  };
}

/** So many failures, then these replies: a list script. */
export function failuresThen(
  count: number,
  fail: Failure,
  ...replies: readonly Reply[]
): readonly Reply[] {
  return [...Array.from({ length: count }, () => fail), ...replies];
}

function matches(rule: Rule, request: LoggedRequest): boolean {
  if (rule.is !== undefined && conversationState(request) !== rule.is) return false;
  if (rule.when !== undefined && !rule.when(request)) return false;
  if (rule.says === undefined) return true;
  const said = lastUserText(request);
  return typeof rule.says === "string" ? said.includes(rule.says) : rule.says.test(said);
}

function isList(reply: Reply | readonly Reply[]): reply is readonly Reply[] {
  return Array.isArray(reply);
}
