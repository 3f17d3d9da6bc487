/** Plain answers, and the ones the CLI continues or repeats by itself. */

import {
  answer,
  breakConnection,
  delay,
  failure,
  failuresThen,
  hold,
  streamError,
  text,
  thinking,
  toolUse,
} from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

/** A promise nobody settles: the model is held until it closes. */
const FOREVER = new Promise<never>(() => {});

const SLOW = answer([text("The first words of an answer"), hold(FOREVER)]);

const JSON_SCHEMA =
  '--json-schema={"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}';

/** The cases. */
export const ANSWER_CASES: readonly Case[] = [
  { name: "success_partial", note: "a plain answer with partial messages" },
  { name: "success_whole", note: "a plain answer without partial messages", partial: false },
  {
    name: "success_unicode",
    note: "an answer with quotes, line separators, emoji and combining characters",
    script: () => [
      answer([
        text(
          'She said "hi"\\n\n\u2028\u2029\u0085 e\u0301 \u{1F600}\u{1F468}\u200D\u{1F469} {"type":"result"}',
        ),
      ]),
    ],
  },
  {
    name: "success_thinking",
    note: "thinking with a signature, then text: one assistant event for each block",
    script: () => [answer([thinking("Let me think about that for a moment."), text("Done.")])],
  },
  {
    name: "success_bare",
    note: "with --bare the first event is ui_invalidate",
    args: ["--bare"],
  },
  {
    name: "success_long",
    note: "an answer of 28,000 characters on one line",
    script: () => [answer([text("0123456789abcde ".repeat(1750), { chunk: 4000 })])],
  },
  {
    name: "success_large_usage",
    note: "an answer with a large usage and cost",
    script: () => [answer("Counted.", { usage: { input: 120_000, output: 4000 } })],
  },
  {
    name: "json_schema",
    note: "structured output through the StructuredOutput tool",
    args: [JSON_SCHEMA],
    script: () => [
      answer([toolUse("StructuredOutput", { city: "Paris" })]),
      answer("Here it is."),
    ],
  },
  {
    name: "json_schema_unmet",
    note: "the model answers in text in spite of a schema: success without structured output",
    args: [JSON_SCHEMA],
    script: () => () => answer("Paris."),
  },
  {
    name: "json_schema_exhausted",
    note: "values that do not fit the schema, until the CLI gives up",
    args: [JSON_SCHEMA],
    script: () => () => answer([toolUse("StructuredOutput", { town: "Paris" })]),
  },
  {
    name: "success_empty",
    note: "an answer without a text",
    script: () => () => answer([]),
  },
  {
    name: "local_command",
    note: "a slash command the CLI carries out itself: no request",
    prompt: "/cost",
  },
  {
    name: "prompt_leading_dash",
    note: "a prompt that looks like a flag",
    prompt: "--help me please",
  },
  {
    name: "max_tokens_always",
    note: "stop reason max_tokens again and again, until the CLI gives up",
    script: () => () => answer("More and more", { stopReason: "max_tokens" }),
  },
  {
    name: "refusal_twice",
    note: "stop reason refusal twice",
    script: () => () => answer("I cannot", { stopReason: "refusal" }),
  },
  {
    name: "model_fallback",
    note: "529 until the CLI falls back to another model",
    args: ["--fallback-model=claude-sonnet-4-5"],
    script: () => failuresThen(3, failure(529, { message: "Overloaded" }), answer("At last.")),
  },
  {
    name: "max_tokens_continued",
    note: "stop reason max_tokens: a synthetic user event and another request",
    script: () => [
      answer("The first half", { stopReason: "max_tokens" }),
      answer(" and the second half."),
    ],
  },
  {
    name: "refusal_retried",
    note: "stop reason refusal: an informational event, a synthetic user event and another request",
    script: () => [answer("I cannot", { stopReason: "refusal" }), answer("Here is an answer.")],
  },
  {
    name: "stream_broken",
    note: "the connection breaks in the middle: abandoned blocks, api_retry, the text once more",
    script: () => [
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer("The first words of an answer, and the rest."),
    ],
  },
  {
    name: "stream_broken_twice",
    note: "the connection breaks twice in the middle",
    script: () => [
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer("The first words of an answer, and the rest."),
    ],
  },
  {
    name: "stream_broken_thrice",
    note: "the connection breaks three times in the middle",
    script: () => [
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer([text("The first words of an answer"), delay(50), breakConnection()]),
      answer("The first words of an answer, and the rest."),
    ],
  },
  {
    name: "stream_broken_after_tool",
    note: "the connection breaks after a whole tool call and before the end of the message",
    files: { "a.txt": "alpha\n" },
    script: () => [
      answer([
        text("Looking."),
        toolUse("Bash", { command: "cat a.txt", description: "Show a" }),
        delay(50),
        breakConnection(),
      ]),
      answer([toolUse("Bash", { command: "cat a.txt", description: "Show a" })]),
      answer("Done."),
    ],
  },
  {
    name: "stream_error_event",
    note: "an SSE error event in the middle: a silent retry without streaming",
    script: () => [
      answer([text("The first words"), streamError("overloaded_error", "Overloaded")]),
      answer("The first words, and the rest."),
    ],
  },
  {
    name: "api_retries",
    note: "529 twice, then success: two api_retry events",
    script: () => failuresThen(2, failure(529, { message: "Overloaded" }), answer("At last.")),
  },
  {
    name: "api_retry_after",
    note: "429 with retry-after 1, then success",
    script: () =>
      failuresThen(
        1,
        failure(429, { message: "slow down", headers: { "retry-after": "1" } }),
        answer("At last."),
      ),
  },
  {
    name: "sigterm_streaming",
    note: "SIGTERM in the middle of an answer: exit code 143, no result",
    script: () => [SLOW],
    signal: { name: "SIGTERM", printed: "text_delta" },
  },
  {
    name: "sigint_streaming",
    note: "SIGINT in the middle of an answer: exit code 0 and an error result",
    script: () => [SLOW],
    signal: { name: "SIGINT", printed: "text_delta" },
  },
  {
    name: "sigterm_retrying",
    note: "SIGTERM while waiting for a retry: exit code 143, no result",
    script: () => failuresThen(20, failure(529, { message: "Overloaded" })),
    signal: { name: "SIGTERM", printed: "api_retry" },
  },
];
