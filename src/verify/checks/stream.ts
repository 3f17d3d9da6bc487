/** The shape of the stream that supervised runs read. */
import { arrayMember, objectMember, stringMember } from "../../base/json.ts";
import {
  readApiRetry,
  readStreamStep,
  readToolResults,
  readToolUses,
} from "../../frames/native.ts";
import { type Check, checkOf } from "../check.ts";
import { plain, PLAIN_ANSWER, PLAIN_TEXT } from "../experiments/plain.ts";
import { longPrompt } from "../experiments/long_prompt.ts";
import { expectSame, expectThat, firstFinding, shown } from "../finding.ts";
import { initOf, rawResultsOf } from "../native_record.ts";
import { expectMembers, saidInstead, succeededWith } from "./judge.ts";

/** Text of one assistant message as its deltas say it. */
function streamedText(frames: readonly Parameters<typeof readStreamStep>[0][]): string {
  let text = "";
  for (const frame of frames) {
    const step = readStreamStep(frame);
    if (step?.event === "message_stop") break;
    const delta = objectMember(objectMember(frame, "event"), "delta");
    if (step?.delta === "text") text += stringMember(delta, "text") ?? "";
  }
  return text;
}

export const STREAM_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "stream.lines",
      title: "--output-format=stream-json prints one JSON object on each line, nothing else",
      relies: "every run over MCP fails with invalid_vendor_response",
    },
    plain,
    ({ record }) =>
      firstFinding(
        () => expectThat(record.frames.length > 0, `nothing was printed: ${saidInstead(record)}`),
        () =>
          expectThat(
            record.strays.length === 0,
            `--output-format=stream-json printed a line that is no JSON object: ${
              shown(record.strays[0])
            }`,
          ),
      ),
  ),
  checkOf(
    {
      id: "stream.init",
      title: "system/init names session, model, mode, tools and version",
      relies: "runs cannot say which session, model and mode they have",
    },
    plain,
    ({ record }) => {
      const init = record.frames.find((frame) =>
        frame.type === "system" && frame.subtype === "init"
      );
      return expectMembers("the event system/init", init, {
        session_id: "string",
        model: "string",
        permissionMode: "string",
        tools: "array",
        mcp_servers: "array",
        claude_code_version: "string",
      });
    },
  ),
  checkOf(
    {
      id: "stream.deltas",
      title: "--include-partial-messages streams the text in deltas that add up to it",
      relies: "nobody sees an answer before it is complete",
    },
    plain,
    ({ record }) => {
      const steps = record.frames.map(readStreamStep).filter((step) => step !== null);
      const events = new Set(steps.map(({ event }) => event));
      const missing = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
      ].filter((event) => !events.has(event));
      const deltas = new Set(steps.map(({ delta }) => delta));
      const lacking = ["text", "thinking", "input_json"].filter((delta) => !deltas.has(delta));
      return firstFinding(
        () => expectThat(missing.length === 0, `stream_event lacks ${missing.join(", ")}`),
        () =>
          expectThat(lacking.length === 0, `stream_event has no delta for ${lacking.join(", ")}`),
        () =>
          expectSame(
            "the text of the stream_event deltas",
            streamedText(record.frames),
            PLAIN_TEXT,
          ),
        () =>
          expectThat(
            steps.some(({ event, messageId }) => event === "message_start" && messageId !== null),
            "stream_event message_start names no message",
          ),
      );
    },
  ),
  checkOf(
    {
      id: "stream.assistant",
      title: "assistant events carry the text and the tool calls of the model",
      relies: "events do not show what Claude says and does",
    },
    plain,
    ({ record }) => {
      const said = record.frames.filter(({ type }) => type === "assistant");
      const texts = said.flatMap(({ message }) => arrayMember(message, "content"))
        .map((block) => stringMember(block, "text"));
      const [use] = record.frames.flatMap(readToolUses);
      return firstFinding(
        () => expectThat(said.length > 0, "there is no assistant event"),
        () =>
          expectThat(texts.includes(PLAIN_TEXT), "no assistant event has the text of the model"),
        () => expectSame("the tool_use of the assistant event", use?.name, "Bash"),
      );
    },
  ),
  checkOf(
    {
      id: "stream.tool_result",
      title: "a user event tells how a tool call ended, by its id",
      relies: "a run says it is still waiting for a tool that has ended",
    },
    plain,
    ({ record }) => {
      const [use] = record.frames.flatMap(readToolUses);
      const [result] = record.frames.flatMap(readToolResults);
      return firstFinding(
        () => expectThat(result !== undefined, "no user event has a tool_result"),
        () => expectSame("tool_use_id of the tool_result", result?.toolUseId, use?.id),
        () => expectSame("is_error of the tool_result of a denied call", result?.isError, true),
      );
    },
  ),
  checkOf(
    {
      id: "stream.result",
      title: "one result event ends a run, with the members that runs read",
      relies: "a run has no answer, cost or verdict",
    },
    plain,
    ({ record }) =>
      firstFinding(
        () => succeededWith(record, PLAIN_ANSWER),
        () => expectSame("the number of result events", rawResultsOf(record).length, 1),
        () =>
          expectMembers("the event result", rawResultsOf(record)[0], {
            subtype: "string",
            is_error: "boolean",
            result: "string",
            session_id: "string",
            num_turns: "number",
            duration_ms: "number",
            total_cost_usd: "number",
            usage: "object",
            permission_denials: "array",
          }),
        () => expectSame("subtype of the result", rawResultsOf(record)[0]?.["subtype"], "success"),
        () =>
          expectThat(
            rawResultsOf(record)[0]?.["origin"] === undefined,
            "the result of the caller's own turn has an origin",
          ),
      ),
  ),
  checkOf(
    {
      id: "stream.session",
      title: "every event of a run names the same session",
      relies: "a run cannot be resumed by the session_id that it shows",
    },
    plain,
    ({ record }) => {
      const ids = new Set(
        record.frames.map((frame) => stringMember(frame, "session_id")).filter((id) => id !== null),
      );
      return firstFinding(
        () => expectSame("the number of session ids in the events", ids.size, 1),
        () => expectThat(initOf(record)?.sessionId !== undefined, "system/init names no session"),
      );
    },
  ),
  checkOf(
    {
      id: "stream.api_retry",
      title: "system/api_retry says when an overloaded API is asked again",
      relies: "a run that waits for minutes does not say why",
    },
    longPrompt,
    ({ record }) => {
      const [retry] = record.frames.map(readApiRetry).filter((one) => one !== null);
      return firstFinding(
        () =>
          expectThat(retry !== undefined, "there is no system/api_retry event after status 529"),
        () => expectSame("attempt of system/api_retry", retry?.attempt, 1),
        () => expectSame("error_status of system/api_retry", retry?.status, 529),
        () =>
          expectThat(
            typeof retry?.delayMs === "number" && typeof retry.maxRetries === "number",
            "system/api_retry lacks retry_delay_ms or max_retries",
          ),
      );
    },
  ),
];
