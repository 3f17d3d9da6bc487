/** Recorded streams as a person is shown them, against texts that were read. `-- update` writes them anew. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { safeText } from "../../../src/cli/run/safe_text.ts";
import { recordedCases } from "../../helpers/replay.ts";
import { showRecorded } from "./recorded.ts";

const GOLDEN = new URL("./transcripts/", import.meta.url);

const READ = [
  "api_retries",
  "budget_exceeded",
  "denied_dont_ask",
  "error_429",
  "error_after_tool",
  "local_command",
  "max_tokens_continued",
  "model_fallback",
  "not_logged_in",
  "refusal_retried",
  "stream_broken_after_tool",
  "stream_broken_twice",
  "subagent_background",
  "subagent_failed",
  "subagent_foreground",
  "success_partial",
  "success_thinking",
  "success_unicode",
  "success_whole",
  "task_background_two",
  "tool_bad_input",
  "tool_sigint",
  "tools_parallel",
];

for (const name of READ) {
  Deno.test(`${name} is shown as it was read`, async () => {
    const { text } = await showRecorded(name);
    const file = new URL(`${name}.txt`, GOLDEN);
    if (Deno.args.includes("update")) await Deno.writeTextFile(file, text);
    assertEquals(text, await Deno.readTextFile(file));
  });
}

Deno.test("every recording is shown: no control, the answer whole, and the same for all chunks", async () => {
  for (const name of await recordedCases()) {
    const { text, pieces, result } = await showRecorded(name);
    // deno-lint-ignore no-control-regex
    assert(!/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text), name);
    assert(!/\n{4}/.test(text) && !text.startsWith("\n"), `${name}: no heaps of empty lines`);
    if (result !== null) assertStringIncludes(text, safeText(result).trimEnd(), name);
    assertEquals((await showRecorded(name, 7)).text, text, name);
    for (const piece of pieces) {
      if (piece.kind === "line") {
        assert(!/[\n\t]/.test(`${piece.head}${piece.detail}${piece.tail}`));
      }
    }
  }
});

Deno.test("tokens while a run goes on add up to what its result says", async () => {
  for (const name of ["success_partial", "tools_parallel", "stream_broken_twice"]) {
    const { progress } = await showRecorded(name);
    const lines = (await Deno.readTextFile(
      new URL(`../../../fixtures/streams/${name}.ndjson`, import.meta.url),
    )).trimEnd().split("\n");
    const { usage, total_cost_usd } = JSON.parse(lines.at(-1)!);
    assertEquals(progress.tokens, { input: usage.input_tokens, output: usage.output_tokens }, name);
    assertEquals(progress.costUsd, total_cost_usd, name);
  }
});
