/** The small parts of a transcript. */
import { assert, assertEquals } from "@std/assert";
import { dollars, duration, plural, short, ticking } from "../../../src/cli/run/amounts.ts";
import { cutToWidth, widthOf } from "../../../src/cli/run/columns.ts";
import { isReceiptDue, receipt, summary } from "../../../src/cli/run/ending.ts";
import { SafeStream, safeText } from "../../../src/cli/run/safe_text.ts";
import { statusLine } from "../../../src/cli/run/status_line.ts";
import { describeInput, firstLineOf, oneLine } from "../../../src/cli/run/tool_text.ts";
import type { SettledRun } from "../../../src/runs/values.ts";

Deno.test("columns are counted as terminals do", () => {
  const widths: readonly (readonly [string, number])[] = [
    ["", 0],
    ["plain", 5],
    ["漢字", 4],
    ["한국어", 6],
    ["e\u0301", 1],
    ["ｗｉｄｅ", 8],
    ["😀", 2],
    ["👨‍👩‍👧", 2],
    ["🇦🇹", 2],
    ["❤️", 2],
    ["é✓…·", 4],
    ["नमस्ते", 4],
    ["\u200d", 0],
  ];
  for (const [text, width] of widths) assertEquals(widthOf(text), width, JSON.stringify(text));
});

Deno.test("a cut is marked, fits, and never goes through a character", () => {
  assertEquals(cutToWidth("short", 5), "short");
  assertEquals(cutToWidth("longer", 5), "long…");
  assertEquals(cutToWidth("漢字漢字", 5), "漢字…");
  assertEquals(cutToWidth("漢字漢字", 4), "漢…");
  assertEquals(cutToWidth("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  assertEquals(cutToWidth("abc", 0), "");
  assertEquals(widthOf(cutToWidth("x".repeat(1_000_000), 80)), 80);
});

Deno.test("text that comes in pieces is as harmless as text that comes at once", () => {
  const text = "a\r\nb\rc\x1b[1m😀d\ud800e\u202ef\tg\n👨‍👩‍👧\x9b\u200d\r";
  const whole = safeText(text);
  assertEquals(
    whole,
    "a\nb\\x0dc\\x1b[1m😀d\\ud800e\\u202ef\tg\n👨‍👩‍👧\\x9b\u200d\\x0d",
  );
  for (let size = 1; size < text.length; size++) {
    const stream = new SafeStream();
    let shown = "";
    for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
    assertEquals(shown + stream.end(), whole, `pieces of ${size}`);
  }
});

Deno.test("amounts read well at every size", () => {
  const times = [0, 940, 9_949, 9_951, 119_400, 119_600, 3_599_000, 3_600_000, 7_380_000, -5];
  assertEquals(times.map(duration), [
    "0.0 s",
    "0.9 s",
    "9.9 s",
    "10 s",
    "119 s",
    "2 min 0 s",
    "59 min 59 s",
    "1 h 0 min",
    "2 h 3 min",
    "0.0 s",
  ]);
  assertEquals([999, 1_000, 9_999, 61_000].map(ticking), ["0 s", "1 s", "9 s", "61 s"]);
  assertEquals([0, 999, 1_000, 9_949, 9_951, 12_345, 999_499, 999_500, 12_345_678].map(short), [
    "0",
    "999",
    "1.0k",
    "9.9k",
    "10k",
    "12k",
    "999k",
    "1.0M",
    "12M",
  ]);
  assertEquals([0, 0.00036, 0.99, 1, 12.345].map(dollars), [
    "$0.0000",
    "$0.0004",
    "$0.9900",
    "$1.00",
    "$12.35",
  ]);
  assertEquals([plural(1, "call"), plural(2, "call")], ["1 call", "2 calls"]);
});

Deno.test("a call is described by what says most, on one harmless line", () => {
  assertEquals(describeInput({ description: "d", command: "ls\n\x1b[1m" }), "ls \\x1b[1m");
  assertEquals(describeInput({ file_path: "/a b" }), "/a b");
  assertEquals(describeInput({ other: [1] }), '{"other":[1]}');
  assertEquals([describeInput({}), describeInput(null), describeInput("x")], ["", "", '"x"']);
  assertEquals(oneLine("y".repeat(1_000_000)).length, 401);
  assertEquals(firstLineOf("\n  first\nsecond"), "first");
  assertEquals(firstLineOf([{ type: "image" }, { type: "text", text: "why" }]), "why");
  assertEquals(firstLineOf("<tool_use_error>bad</tool_use_error>"), "bad");
  assertEquals([firstLineOf(null), firstLineOf([])], ["", ""]);
});

const SETTLED = {
  state: "completed",
  session_id: "s-1",
  total_cost_usd: 0.5,
  exit_code: 0,
  signal: null,
  cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
} as unknown as SettledRun;
const PROGRESS = { tokens: { input: 0, output: 0 }, costUsd: null, calls: 0, running: [] };

Deno.test("the receipt says what was ended, and whether anything is left", () => {
  const cases: readonly (readonly [Partial<SettledRun>, string])[] = [
    [{}, "clean-up confirmed: Claude Code ended with exit code 0; nothing is left"],
    [
      {
        exit_code: null,
        signal: "SIGKILL",
        cleanup: { confirmed: true, retired: 2, escalated: true, survivors: [] },
      },
      "clean-up confirmed: Claude Code was ended by SIGKILL, 2 processes of the run had to be ended " +
      "(SIGKILL was needed); nothing is left",
    ],
    [
      {
        exit_code: 143,
        cleanup: {
          confirmed: false,
          retired: 1,
          escalated: true,
          survivors: [{ pid: 7, name: "a\x1bb" }],
        },
      },
      "clean-up NOT confirmed: Claude Code ended with exit code 143, 1 process of the run had to be " +
      "ended (SIGKILL was needed); still there: a\\x1bb (pid 7)",
    ],
    [
      { exit_code: null, cleanup: null },
      "clean-up NOT confirmed: nobody saw Claude Code end; whether anything is left is not known",
    ],
    [
      { exit_code: null },
      "clean-up confirmed: Claude Code was not started; nothing is left",
    ],
  ];
  for (const [difference, sentence] of cases) {
    assertEquals(receipt({ ...SETTLED, ...difference }), sentence);
  }
  assert(!isReceiptDue(SETTLED));
  for (const code of ["cancelled", "timeout"] as const) {
    assert(isReceiptDue({ ...SETTLED, error: { code, message: "" } }));
  }
  assert(isReceiptDue({ ...SETTLED, cleanup: null }));
});

Deno.test("the summary has what is known and nothing else", () => {
  assertEquals(
    summary(SETTLED, { progress: PROGRESS, elapsedMs: 1_500 }).head,
    "done in 1.5 s · $0.5000 · session s-1",
  );
  const progress = { ...PROGRESS, tokens: { input: 12_345, output: 6 }, costUsd: 0.25, calls: 1 };
  const failed = { ...SETTLED, state: "failed", session_id: null } as const;
  const line = summary(failed, { progress, elapsedMs: 61_000 });
  assertEquals(
    [line.line, line.head],
    ["failed", "failed after 61 s · 1 tool call · 12345 tokens in, 6 out · $0.2500"],
  );
});

Deno.test("the status line says what goes on", () => {
  const facts = { progress: PROGRESS, now: 5_000, startedAt: 0, isEnding: false };
  assertEquals(statusLine({ ...facts, activity: "thinking for 3 s" }), "5 s · thinking for 3 s");
  assertEquals(statusLine({ ...facts, activity: "writing for 0 s" }), "5 s · writing");
  const running = [
    { name: "Bash", detail: "x".repeat(100), since: 1_000 },
    { name: "Read", detail: "", since: 2_000 },
  ];
  const progress = { ...PROGRESS, tokens: { input: 1_500, output: 20 }, costUsd: 0.1, running };
  assertEquals(
    statusLine({ ...facts, progress, activity: "running Bash for 4 s" }),
    `5 s · 1.5k in, 20 out · $0.1000 · running Bash(${"x".repeat(39)}…) and 1 more for 4 s`,
  );
  assertEquals(
    statusLine({ ...facts, progress, isEnding: true, activity: "stopping (cancelled) for 1 s" }),
    "5 s · 1.5k in, 20 out · $0.1000 · stopping (cancelled) for 1 s · Ctrl-C again kills",
  );
});
