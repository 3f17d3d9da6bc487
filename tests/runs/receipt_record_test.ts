import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ReceiptRecord } from "../../src/runs/receipt_record.ts";
import type { ExecutableCheck } from "../../src/supervision/job.ts";

const CHECKS: ExecutableCheck[] = [
  { args: ["--version"], accepts: [{ stdout: "2.1.332 (Claude Code)\n", by: "tree" }] },
];

function expecting(): ReceiptRecord {
  const record = new ReceiptRecord("/opt/claude");
  record.expect(CHECKS);
  return record;
}

function refused(stdout: string, detail: string): string {
  const record = expecting();
  const cause = record.receive({ receipt: "version", ok: false, stdout, detail });
  assertEquals(cause?.code, "incompatible_vendor");
  return cause?.message ?? "";
}

Deno.test("another version is quoted, and the command that installs the right one is given", () => {
  const message = refused("2.0.0 (Claude Code)\n", "its output differs");
  assertStringIncludes(message, "but it says '2.0.0 (Claude Code)';");
  assertStringIncludes(message, "npm install --global @anthropic-ai/claude-code@2.1.332");
});

Deno.test("an executable that printed nothing is said to have printed nothing", () => {
  assertStringIncludes(refused("", "its output differs"), "but it printed nothing;");
  const spoke = refused(" \n", "its output differs: no\nlicense");
  assertStringIncludes(spoke, "but it printed nothing: no license;");
});

Deno.test("a flood, a hang and a failure are told as such, not by what was printed", () => {
  for (
    const detail of [
      "it printed more than 65536 bytes",
      "it did not end within 5 s",
      "it ended with code 7",
    ]
  ) {
    const message = refused("yyyy".repeat(100), detail);
    assertStringIncludes(message, `but ${detail};`);
    assert(!message.includes("yyyy"), message);
  }
});

Deno.test("what the executable printed is shown without controls", () => {
  const record = expecting();
  const stdout = "\u001b[1m9.9\u202e\nmore";
  const cause = record.receive({ receipt: "version", ok: false, stdout, detail: "" });
  assertEquals(record.version, "\\x1b[1m9.9\\u202e");
  assertStringIncludes(cause?.message ?? "", "'\\x1b[1m9.9\\u202e more'");
  const failed = refused("", "it ended with code 1: \u001b[31mno\r\nway");
  assertStringIncludes(failed, "code 1: \\x1b[31mno way;");
});
