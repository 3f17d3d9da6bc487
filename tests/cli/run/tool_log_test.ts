import { assertEquals } from "@std/assert";
import { layOut } from "../../../src/cli/run/piece.ts";
import { lineText } from "../../../src/cli/run/style.ts";
import { ToolLog } from "../../../src/cli/run/tool_log.ts";

const call = (id: string, parentToolUseId: string | null = null) =>
  ({ kind: "tool_call", turn: 0, id, name: id, input: {}, parentToolUseId }) as const;
const result = (id: string, isError = false) =>
  ({ kind: "tool_result", turn: 0, id, isError, content: "why", parentToolUseId: null }) as const;

Deno.test("calls of parallel sub-agents always stand below their own", () => {
  const log = new ToolLog();
  const shown: string[] = [];
  const end = (id: string, isError = false) => {
    for (const piece of log.end(result(id, isError), 2_000)) {
      shown.push(lineText(layOut(piece, 80), null));
    }
  };
  log.begin(call("One"), 0);
  log.begin(call("Two"), 0);
  for (const [id, parent] of [["a", "One"], ["b", "Two"], ["c", "One"]] as const) {
    log.begin(call(id, parent), 1_000);
  }
  log.begin(call("deep", "c"), 1_000);
  for (const id of ["a", "b", "deep", "c"]) end(id, id === "b");
  log.leaveContext();
  log.refuse("Two");
  end("Two", true);
  end("Two");
  end("unknown");
  assertEquals(log.running.map(({ name }) => name), ["One"]);
  for (const piece of log.endAll(3_000)) shown.push(lineText(layOut(piece, 80), null));
  assertEquals(shown, [
    "▸ One",
    "  ✓ a  1.0 s",
    "▸ Two",
    "  ✗ b  failed, 1.0 s: why",
    "  ▸ c",
    "    ✓ deep  1.0 s",
    "▸ One",
    "  ✓ c  1.0 s",
    "⊘ Two  refused, 2.0 s: why",
    "… One  not finished, 3.0 s",
  ]);
  assertEquals([log.count, log.running], [6, []]);
});

Deno.test("a flood of calls is bounded, and the open ones are kept", () => {
  const log = new ToolLog();
  log.begin(call("first"), 0);
  for (let i = 0; i < 10_000; i++) {
    log.begin(call(`${i}`), 0);
    log.end(result(`${i}`), 0);
  }
  assertEquals([log.count, log.running.length], [10_001, 1]);
  assertEquals(log.end(result("first"), 1_000).length, 1);
});
