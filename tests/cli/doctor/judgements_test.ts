import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { judgeLostRuns, judgeSight, judgeTools } from "../../../src/cli/doctor/cleanup.ts";
import { judgeVersion } from "../../../src/cli/doctor/executable.ts";
import { type Finding, findingLines, worstOf } from "../../../src/cli/doctor/finding.ts";
import { configFolder, judgeConfigFolder } from "../../../src/cli/doctor/folders.ts";
import { judgeLogin } from "../../../src/cli/doctor/login.ts";
import type { Orphan } from "../../../src/supervision/orphans.ts";

/** What is found, how bad it is, and what the line says. */
type Case = readonly [Finding, Finding["status"], string];

function check(cases: readonly Case[]): void {
  for (const [finding, status, says] of cases) {
    assertEquals(finding.status, status, finding.says);
    assertStringIncludes(finding.says, says);
    assertEquals(finding.fix === undefined, status === "ok", `a fix for: ${finding.says}`);
  }
}

Deno.test("a log-in is judged by names alone", () => {
  const folder = "/home/user/.claude";
  const login = (folderExists: boolean, ...set: string[]) =>
    judgeLogin({ set: new Set(set), folder, folderExists });
  check([
    [login(true), "ok", "the CLI's own log-in counts, kept with /home/user/.claude"],
    [login(false), "warning", "nobody has logged in here yet"],
    [judgeLogin({ set: new Set(), folder: null, folderExists: false }), "warning", "no home"],
    [login(false, "ANTHROPIC_API_KEY"), "ok", "ANTHROPIC_API_KEY is set (an API key)"],
    [login(true, "CLAUDE_CODE_OAUTH_TOKEN"), "ok", "CLAUDE_CODE_OAUTH_TOKEN is set"],
    [
      login(true, "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
      "warning",
      "ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN are set",
    ],
    [login(true, "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"), "warning", "uses only one"],
    [login(false, "CLAUDE_CODE_USE_BEDROCK"), "ok", "CLAUDE_CODE_USE_BEDROCK is set"],
  ]);
});

Deno.test("a version is judged by what runs would accept, and the finding says by what", () => {
  const accepts = [
    { stdout: "2.1.332 (Claude Code)\n", by: "tree" },
    { stdout: "2.1.340 (Claude Code)\n", by: "receipt" },
    { stdout: "2.1.350 (Claude Code)\n", by: "override" },
  ] as const;
  check([
    [judgeVersion("2.1.332 (Claude Code)\n", accepts), "ok", "by the tree"],
    [judgeVersion("2.1.340 (Claude Code)\n", accepts), "ok", "by a receipt of verify"],
    [judgeVersion("2.1.350 (Claude Code)\n", accepts), "warning", "without proof"],
    [judgeVersion("2.1.351 (Claude Code)\n", accepts), "problem", "admitted by none"],
    // As a run sees it: one byte more is another output.
    [judgeVersion("2.1.332 (Claude Code)\n\n", accepts), "problem", "admitted by none"],
    [judgeVersion("", accepts), "problem", "prints no version"],
  ]);
  assertStringIncludes(judgeVersion("x", accepts).fix ?? "", "@anthropic-ai/claude-code@2.1.332");
});

Deno.test("clean-up is judged by what can be seen, what can be run, and what is left", () => {
  const self = { identity: { pid: 7, start: 1 }, namespace: 9, knowsNamespace: true };
  const orphan = (n: number): Orphan => ({
    token: `9.7.1.run-${n}`,
    runId: `run-${n}`,
    adapter: self.identity,
    carriers: [],
    supervisors: [{
      pid: 100 + n,
      ppid: 1,
      pgid: 1,
      sid: 1,
      uid: 1,
      start: 1,
      alive: true,
      name: "deno",
      tokens: [],
      supervises: `9.7.1.run-${n}`,
    }],
    spared: [],
  });
  const sight = { processes: 9, self, seesAll: true, detail: "" };
  const tools = (...names: string[]) => new Set(names);
  check([
    [judgeSight(sight, "linux"), "ok", "9 can be seen through /proc"],
    [judgeSight(sight, "darwin"), "ok", "through ps"],
    [
      judgeSight({ ...sight, self: { ...self, knowsNamespace: false } }, "linux"),
      "warning",
      "the pid namespace cannot be told",
    ],
    [judgeSight({ ...sight, seesAll: false }, "linux"), "warning", "other users are hidden"],
    [judgeSight({ ...sight, self: null, detail: "no sh" }, "linux"), "problem", "no sh"],
    [judgeTools(tools("sh", "grep", "perl"), "linux"), "ok", "sh, grep, perl"],
    [judgeTools(tools("sh", "grep", "python3"), "linux"), "ok", "python3"],
    [judgeTools(tools("sh", "grep"), "linux"), "warning", "neither perl nor python3"],
    [judgeTools(tools("sh"), "linux"), "problem", "grep cannot be found"],
    [judgeTools(tools("sh"), "darwin"), "problem", "ps cannot be found"],
    [judgeTools(tools("sh", "ps"), "darwin"), "ok", "sh, ps"],
    [judgeLostRuns([]), "ok", "nothing"],
    [judgeLostRuns([orphan(1)]), "warning", "run-1 (process 101)"],
    [judgeLostRuns([1, 2, 3, 4, 5, 6].map(orphan)), "warning", "and 2 more"],
  ]);
});

Deno.test("the CLI's folder has to be absolute and writable", () => {
  const folder = (path: string, exists: boolean, writable: boolean) =>
    judgeConfigFolder({ path, exists, writable });
  check([
    [folder("/h/.claude", true, true), "ok", "can be written to"],
    [folder("/h/.claude", false, true), "ok", "does not exist yet"],
    [folder("/h/.claude", true, false), "problem", "cannot be written to"],
    [folder("/h/.claude", false, false), "problem", "cannot be made"],
    [folder("rel", true, true), "problem", "another folder in every directory"],
    [judgeConfigFolder(null), "problem", "no HOME"],
  ]);
  assertEquals(configFolder({ HOME: "/h/" }), "/h/.claude");
  assertEquals(configFolder({ HOME: "/h", CLAUDE_CONFIG_DIR: "/c" }), "/c");
  assertEquals([configFolder({}), configFolder({ HOME: "h" })], [null, null]);
});

Deno.test("a report's lines say how bad each finding is, with its fix below, and no control characters", () => {
  const findings: readonly Finding[] = [
    { check: "a", status: "ok", says: "fine" },
    { check: "long name", status: "problem", says: "bad \u001b[2J", fix: "do this" },
    { check: "b", status: "warning", says: "hm", fix: "or that" },
  ];
  assertEquals(worstOf(findings), "problem");
  assertEquals([worstOf([]), worstOf(findings.slice(2))], ["ok", "warning"]);
  const program = { version: "1", runtime: "2", os: "linux", arch: "x", standalone: false };
  const lines = findingLines({ format_version: 1, status: "problem", program, findings });
  assert(!lines.includes("\u001b"));
  assertStringIncludes(lines, "ok       a          fine\nproblem  long name  bad ");
  assertStringIncludes(lines, "fix: do this\n");
  assertStringIncludes(lines, "1 problem, 1 warning.\n");
});
