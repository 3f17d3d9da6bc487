/** Every stand-in through the whole engine on real processes: what it does, and what a caller gets. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { buildRunInvocation } from "../../src/contract/invocation.ts";
import { parseRunArguments } from "../../src/contract/run_schema.ts";
import { expectedChecks } from "../../src/contract/tree.ts";
import type { Engine, SettledRun } from "../../src/engine/api.ts";
import { createAdmission } from "../../src/engine/admission.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { systemClock } from "../../src/host/clock.ts";
import { createLauncher } from "../../src/host/launcher.ts";
import { sha256 } from "../../src/host/sha256.ts";
import { type FakeBehaviour, fakeClaude } from "../helpers/fake_claude.ts";
import { holdOpen, markedWith } from "../helpers/processes.ts";

interface Options {
  readonly env?: { readonly [name: string]: string };
  readonly strict?: boolean;
  readonly args?: { readonly [name: string]: unknown };
  /** Called with the live run. */
  readonly meanwhile?: (engine: Engine, runId: string) => Promise<void>;
}

/** Runs a stand-in to its settled value, and asserts that nothing of it is left. */
async function run(behaviour: FakeBehaviour, options: Options = {}): Promise<SettledRun> {
  const log = { write: () => {} };
  const engine = createEngine({
    launcher: createLauncher({
      log,
      executable: fakeClaude(behaviour),
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "", ...options.env },
    }),
    clock: systemClock,
    log,
    sha256,
    newId: () => crypto.randomUUID(),
    admission: createAdmission({
      expected: expectedChecks(),
      override: null,
      verified: () => Promise.resolve([]),
      log,
    }),
    oversizedFrames: options.strict === true ? "fail" : "skip",
    invoke: buildRunInvocation,
  });
  const args = parseRunArguments({ prompt: "hello", ...options.args });
  const { run_id } = engine.start(args, null);
  await options.meanwhile?.(engine, run_id);
  await engine.wait(run_id, { seconds: 120 });
  const value = engine.result(run_id);
  assert(value.completed, "the run has settled");
  await engine.shutdown();
  assertEquals(await markedWith(run_id), [], "no process of the run is left");
  return value as SettledRun;
}

/** Waits for the first event, then cancels. */
async function cancel(engine: Engine, runId: string): Promise<void> {
  await engine.wait(runId, { seconds: 60, afterCursor: 0 });
  engine.cancel(runId);
}

const TABLE: readonly (readonly [FakeBehaviour, string | null, Options?])[] = [
  ["ok", null],
  ["blank_lines", null],
  ["bad_utf8", null],
  ["result_without_newline", null],
  ["followup_result", null],
  ["oversized_user", null],
  ["flood_stderr", null],
  ["flood_stderr", null, { env: { FAKE_BYTES: "10000000" } }],
  ["flood_stdout", null],
  ["ignores_stdin", null, { args: { prompt: "x".repeat(131_072 - 10) + "é".repeat(10) } }],
  ["no_result", "vendor_failed"],
  ["partial_answer", "vendor_failed"],
  ["followup_only", "vendor_failed"],
  ["exit_7", "vendor_failed"],
  ["crash_signal", "vendor_failed"],
  ["success_exit_1", "vendor_failed"],
  ["half_line_at_end", "invalid_vendor_response"],
  ["malformed_line", "invalid_vendor_response"],
  ["array_line", "invalid_vendor_response"],
  ["two_results", "invalid_vendor_response"],
  ["contradicting_results", "invalid_vendor_response"],
  ["oversized_result", "frame_too_large"],
  ["oversized_no_newline", "frame_too_large"],
  ["oversized_endless", "frame_too_large"],
  ["oversized_user", "frame_too_large", { strict: true }],
  ["big_final", "result_too_large"],
  ["big_final", "result_too_large", { env: { FAKE_BYTES: "614400" } }],
  ["auth_error", "authentication_required"],
  ["limit_error", "usage_limited"],
  ["resume_unknown", "resume_failed", {
    args: { resume_session_id: "5a1f0f0e-0000-4000-8000-000000000002" },
  }],
  ["wrong_version", "incompatible_vendor"],
  ["version_and_more", "incompatible_vendor"],
  ["version_fails", "incompatible_vendor"],
  ["version_floods", "incompatible_vendor"],
  ["version_hangs", "incompatible_vendor"],
  ["hang_after_result", "timeout", { args: { timeout_seconds: 2 } }],
  ["ignores_term", "timeout", { args: { timeout_seconds: 1 } }],
  ["slow", "cancelled", { meanwhile: cancel }],
  ["spawns_child_ignoring_term", "cancelled", { args: { prompt: "stay" }, meanwhile: cancel }],
];

for (const [behaviour, code, options] of TABLE) {
  const with_ = options === undefined ? "" : ` (${Object.keys(options).join(", ")})`;
  Deno.test(`the stand-in ${behaviour}${with_} ends as ${code ?? "completed"}`, async () => {
    const value = await run(behaviour, options);
    assertEquals(value.error?.code ?? null, code, JSON.stringify(value.error));
    const state = code === null ? "completed" : code === "cancelled" ? "cancelled" : "failed";
    assertEquals([value.state, value.is_error], [state, code !== null]);
    assertEquals(value.cleanup_confirmed, true);
  });
}

Deno.test("an answer that came before a failure is kept", async () => {
  for (
    const behaviour of ["two_results", "contradicting_results", "success_exit_1"] as const
  ) {
    const value = await run(behaviour);
    assertEquals(value.is_error, true, behaviour);
    assert(value.result !== null && value.final_event !== null, behaviour);
  }
});

Deno.test("what stderr said last is shown on failure, and bounded", async () => {
  const value = await run("exit_7");
  assert((value.stderr_tail ?? "").length <= 8_192);
  assertStringIncludes(value.error?.message ?? "", "exit code 7");
});

Deno.test("an oversized frame leaves a marker in its place and the rest as it was", async () => {
  const value = await run("oversized_user");
  const reasons = value.events.map((event) => (event as { reason?: string }).reason ?? null);
  assertEquals(reasons.filter((reason) => reason !== null), ["frame_byte_bound"]);
  assertEquals(reasons.indexOf("frame_byte_bound") > 0, true);
  assertEquals(value.event_page.omitted_events, 1);
});

Deno.test("a wrong version is reported with what it said, and no prompt is sent", async () => {
  const value = await run("wrong_version");
  assertEquals(value.events, []);
  assertEquals([value.exit_code, value.event_page.observed_events], [null, 0]);
  assertStringIncludes(value.error?.message ?? "", "2.1.332 (Claude Code)");
});

Deno.test("a stranger that holds stdout open does not keep a run from settling", async () => {
  const folder = await Deno.makeTempDir();
  let held: AsyncDisposable | null = null;
  const value = await run("stdout_shared", {
    env: { FAKE_FOLDER: folder },
    meanwhile: async (engine, runId) => {
      await engine.wait(runId, { seconds: 60, afterCursor: 1 });
      const page = engine.events(runId, { after_cursor: 1, limit: 1, max_bytes: 10_000 });
      const { pid } = page.events[0]!.event as unknown as { pid: number };
      held = await holdOpen(`/proc/${pid}/fd/1`);
      await Deno.writeTextFile(`${folder}/go`, "");
    },
  });
  assertEquals([value.state, value.result], ["completed", "done"]);
  await held![Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});
