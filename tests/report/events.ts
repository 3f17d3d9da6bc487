/** Events as the CLI writes them, made up for the tests of reports. */
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import { parseFrame } from "../../src/frames/parse_frame.ts";
import { writePage } from "../../src/report/page.ts";
import type { Report } from "../../src/report/report.ts";
import { ReportReader } from "../../src/report/report_reader.ts";

/** The moment that made-up runs begin. */
export const START = Date.parse("2026-11-30T10:00:00.000Z");

/** So many milliseconds after the start, as events say it. */
export function time(ms: number): string {
  return new Date(START + ms).toISOString();
}

/** More members of a frame. */
type More = { readonly [key: string]: JsonValue };

/** An `assistant` event with one block. */
export function assistant(block: JsonObject, more: More = {}): JsonObject {
  const { id = "msg_1", model = "claude-test", usage = {}, ...rest } = more;
  const message = { id, model, role: "assistant", content: [block], stop_reason: null, usage };
  return { type: "assistant", message, parent_tool_use_id: null, session_id: "s", ...rest };
}

/** A tool call as a block. */
export function call(id: string, name: string, input: JsonValue = {}): JsonObject {
  return { type: "tool_use", id, name, input };
}

/** A `user` event with the result of a tool. */
export function result(id: string, content: JsonValue, more: More = {}): JsonObject {
  const { is_error = false, ...rest } = more;
  const block = { type: "tool_result", tool_use_id: id, content, is_error };
  return {
    type: "user",
    message: { role: "user", content: [block] },
    parent_tool_use_id: null,
    ...rest,
  };
}

/** The result of a turn. */
export function ended(more: More = {}): JsonObject {
  return {
    type: "result",
    subtype: "success",
    is_error: false,
    session_id: "s",
    result: "Done.",
    total_cost_usd: 0.25,
    num_turns: 1,
    duration_ms: 1_000,
    permission_denials: [],
    ...more,
  };
}

/** Lines as a report. */
export function readLines(lines: readonly string[]): Report {
  const reader = new ReportReader();
  for (const [i, line] of lines.entries()) {
    const bytes = line.length;
    reader.take({ ...parseFrame(line), bytes, terminated: i < lines.length - 1 });
  }
  return reader.finish({ bytes: lines.join("\n").length, isStopped: false });
}

/** Events as a report. */
export function readEvents(events: readonly JsonValue[]): Report {
  return readLines([...events.map((event) => JSON.stringify(event)), ""]);
}

/** The whole page of a report. */
export function pageOf(report: Report, title: string = "test"): string {
  return [...writePage(report, { title })].join("");
}

/**
 * A long run: `count` events of the model's words, tool calls and results, some of them of sub-agents; every call takes
 * 100 ms.
 */
export function* longRun(count: number): Iterable<JsonObject> {
  let made = 0;
  for (let turn = 0; made < count; turn++) {
    const id = `msg_${turn}`;
    const at = (ms: number) => ({ id, timestamp: time(turn * 300 + ms) });
    const parent = turn % 10 > 5 ? { parent_tool_use_id: `agent_${Math.floor(turn / 10)}` } : {};
    yield assistant({ type: "text", text: `Step ${turn}: I look at the next file.` }, {
      ...at(100),
      ...parent,
      usage: { input_tokens: 1_000, output_tokens: 50 },
    });
    const tool = turn % 10 === 5
      ? call(`agent_${Math.floor(turn / 10)}`, "Agent", { description: `Part ${turn}` })
      : call(`tool_${turn}`, "Read", { file_path: `/home/user/project/file_${turn}.ts` });
    yield assistant(tool, { ...at(150), ...parent });
    const text = `line one of file ${turn}\nline two\n`.repeat(turn % 50 === 0 ? 60 : 3);
    if (turn % 10 !== 5) yield result(`tool_${turn}`, text, { ...at(300), ...parent });
    if (turn % 10 === 9) {
      yield result(`agent_${Math.floor(turn / 10)}`, "Done.", {
        timestamp: time(turn * 300 + 300),
      });
    }
    made += turn % 10 === 5 ? 2 : turn % 10 === 9 ? 4 : 3;
  }
  yield ended({ duration_ms: count * 100 });
}
