import { assert, assertEquals } from "@std/assert";
import { parseCommand, parseJob } from "../../src/supervision/parse_job.ts";

const JOB = {
  wire: 1,
  supervisor_pid: 100,
  executable: "/bin/claude",
  argv: ["-p", "", "--", "é\n"],
  stdin: null,
  env: { PATH: "/bin", EMPTY: "" },
  checks: [{ args: ["--version"], accepts: [{ stdout: "1\n", by: "tree" }] }],
  marker: { name: "M", value: "1.2.3.run" },
};

Deno.test("job: a whole job reads back", () => {
  const parsed = parseJob(JSON.stringify(JOB));
  assert(parsed.ok);
  assertEquals<unknown>(parsed.job, JOB);
});

const BAD: readonly (readonly [string, unknown])[] = [
  ["is not an object", [JOB]],
  ["has wire version 2", { ...JOB, wire: 2 }],
  ["has wire version undefined", { ...JOB, wire: undefined }],
  ["has no supervisor_pid", { ...JOB, supervisor_pid: 1 }],
  ["has no supervisor_pid", { ...JOB, supervisor_pid: "100" }],
  ["has no absolute executable", { ...JOB, executable: "claude" }],
  ["has no absolute executable", { ...JOB, executable: "/bin/\0" }],
  ["has no usable argv", { ...JOB, argv: ["a\0b"] }],
  ["has no usable argv", { ...JOB, argv: [1] }],
  ["has no usable argv", { ...JOB, argv: Array(16_385).fill("") }],
  ["has no usable stdin", { ...JOB, stdin: 1 }],
  ["has no usable stdin", { ...JOB, stdin: undefined }],
  ["has no usable env", { ...JOB, env: { "A=B": "x" } }],
  ["has no usable env", { ...JOB, env: { "": "x" } }],
  ["has no usable env", { ...JOB, env: { A: "x\0" } }],
  ["has no usable env", { ...JOB, env: { A: null } }],
  ["has no usable checks", { ...JOB, checks: [{ args: ["x"] }] }],
  ["has no usable checks", { ...JOB, checks: Array(5).fill(JOB.checks[0]) }],
  ["has no usable checks", { ...JOB, checks: [{ args: ["x"], accepts: [{ stdout: "" }] }] }],
  ["has no usable checks", {
    ...JOB,
    checks: [{ args: ["x"], accepts: [{ stdout: "", by: "me" }] }],
  }],
  ["has no usable cwd", { ...JOB, cwd: "relative" }],
  ["has no usable forward_stderr", { ...JOB, forward_stderr: 1 }],
  ["has no usable marker", { ...JOB, marker: { name: "", value: "x" } }],
];

for (const [detail, value] of BAD) {
  Deno.test(`job: refuses one that ${detail} (${JSON.stringify(value)?.slice(0, 60).replaceAll("\0", "")})`, () => {
    assertEquals(parseJob(JSON.stringify(value)), { ok: false, detail: `The job line ${detail}` });
  });
}

Deno.test("job: text that is not JSON is refused without quoting it", () => {
  assertEquals(parseJob("{secret"), { ok: false, detail: "The job line is not JSON" });
});

Deno.test("command: only stop and kill are some", () => {
  for (const command of ["stop", "kill"] as const) {
    assertEquals(parseCommand(JSON.stringify({ command })), { command });
  }
  for (const line of ["", "stop", "{}", '{"command":"go"}', "[]", "null"]) {
    assertEquals(parseCommand(line), null);
  }
});
