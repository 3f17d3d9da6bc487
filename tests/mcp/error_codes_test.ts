/** Every error code, produced by the real server and the real engine; only the operating system is played. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { AdapterError, type RunErrorCode } from "../../src/base/errors.ts";
import type { JsonObject, JsonValue } from "../../src/base/json.ts";
import type { Engine } from "../../src/engine/api.ts";
import { ADVICE } from "../../src/mcp/advice.ts";
import { settle } from "../helpers/fake_clock.ts";
import type { FakeSupervised } from "../helpers/fake_launcher.ts";
import { init, result, says } from "../helpers/frames.ts";
import { testEngine } from "../helpers/test_engine.ts";
import { Peer } from "./peer.ts";

const SESSION = "11111111-1111-4111-8111-111111111111";
const LEFT = {
  confirmed: false,
  retired: 1,
  escalated: true,
  survivors: [{ pid: 9, name: "sleep" }],
};

class Stage {
  readonly #made = testEngine();
  readonly launcher = this.#made.launcher;
  readonly clock = this.#made.clock;
  readonly peer = new Peer<Engine>({ engine: this.#made.engine });
  #id = 0;

  /** A tool call and its answer. */
  async call(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return (await this.peer.request(++this.#id, "tools/call", { name, arguments: args }))
      .result as JsonObject;
  }

  /** Starts a run, plays its native side to the end, and reads its settled value. */
  async settled(
    play: (native: FakeSupervised) => void,
    args: JsonObject = {},
  ): Promise<JsonObject> {
    const started = await this.call("claude.run.start", { prompt: "x", ...args });
    const { run_id } = (started.structuredContent as { result: { run_id: string } }).result;
    await settle();
    play(this.launcher.last);
    await settle();
    return await this.call("claude.run.result", { run_id });
  }

  /** A live run's id. */
  async live(args: JsonObject = {}): Promise<string> {
    const started = await this.call("claude.run.start", { prompt: "x", ...args });
    await settle();
    return (started.structuredContent as { result: { run_id: string } }).result.run_id;
  }

  async end(): Promise<void> {
    for (const native of this.launcher.launched) {
      native.stop = () => native.ends(143);
    }
    void this.peer.endInput();
    await this.clock.tick(20_000);
    await this.peer.outcome;
  }
}

const failsWith = (...frames: JsonObject[]) => (native: FakeSupervised) =>
  native.starts().prints(init(), ...frames).ends(1);
const apiError = (text: string, error: string) => [
  says(text, { error, is_api_error_message: true }),
  result({ is_error: true, result: text }),
];

/** A `Record`, so that a code nobody produces does not compile. */
const SCENARIOS: Readonly<
  Record<Exclude<RunErrorCode, "work_unavailable">, (s: Stage) => Promise<JsonObject>>
> = {
  invalid_arguments: (s) => s.call("claude.run", { prompt: "x", timeout_seconds: 0 }),
  invalid_configuration: (s) => {
    s.launcher.locateFault = new AdapterError("invalid_configuration", "'claude' is not absolute");
    return s.call("claude.run", { prompt: "x" });
  },
  dependency_unavailable: (s) => {
    s.launcher.locateFault = new AdapterError("dependency_unavailable", "no claude on PATH");
    return s.call("claude.run", { prompt: "x" });
  },
  startup_failed: (s) => {
    s.launcher.launchFault = new AdapterError("startup_failed", "no more processes");
    return s.call("claude.run", { prompt: "x" });
  },
  incompatible_vendor: (s) =>
    s.settled((native) =>
      native.reports(
        { receipt: "version", ok: false, stdout: "2.0.0 (Claude Code)\n", detail: "" },
        { receipt: "cleanup", cleanup: native.found },
      ).closesReceipts().closesStdout()
    ),
  invalid_vendor_response: (s) =>
    s.settled((native) => native.starts().prints("no frame\n").ends(143)),
  frame_too_large: (s) =>
    s.settled((native) =>
      native.starts().prints(result({ result: "x".repeat(1_100_000) })).ends(0)
    ),
  result_too_large: (s) => s.settled(failsWith(result({ result: "x".repeat(140_000) }))),
  vendor_failed: (s) => s.settled((native) => native.starts().prints(init()).ends(0)),
  authentication_required: (s) =>
    s.settled(failsWith(...apiError("Not logged in · Please run /login", "authentication_failed"))),
  usage_limited: (s) => s.settled(failsWith(...apiError("Rejected (429)", "rate_limit"))),
  resume_failed: (s) =>
    s.settled(
      failsWith(result({
        is_error: true,
        subtype: "error_during_execution",
        result: null,
        errors: ["No conversation found with session ID: x"],
      })),
      { resume_session_id: SESSION },
    ),
  session_busy: async (s) => {
    await s.live({ resume_session_id: SESSION });
    return await s.call("claude.run", { prompt: "x", resume_session_id: SESSION });
  },
  timeout: async (s) => {
    const run_id = await s.live({ timeout_seconds: 1 });
    s.launcher.last.starts().prints(init());
    await s.clock.tick(1_000);
    s.launcher.last.ends(143);
    await settle();
    return await s.call("claude.run.result", { run_id });
  },
  cancelled: async (s) => {
    const run_id = await s.live();
    await s.call("claude.run.cancel", { run_id });
    s.launcher.last.starts().ends(143);
    await settle();
    return await s.call("claude.run.result", { run_id });
  },
  cleanup_unconfirmed: (s) =>
    s.settled((native) => {
      native.found = LEFT;
      native.starts().prints(init(), result()).ends(0, { cleanup: LEFT });
    }),
  capacity: async (s) => {
    for (let n = 0; n < 4; n++) await s.live();
    return await s.call("claude.run", { prompt: "x" });
  },
  unknown_run: (s) => s.call("claude.run.result", { run_id: "nobody" }),
  run_active: async (s) => s.call("claude.run.release", { run_id: await s.live() }),
  invalid_cursor: async (s) => {
    const run_id = await s.live();
    return await s.call("claude.run.events", { run_id, after_cursor: 99 });
  },
  internal_error: (s) => {
    s.launcher.locate = () => {
      throw new TypeError("a fault of ours");
    };
    return s.call("claude.run", { prompt: "x" });
  },
};

for (const [code, scenario] of Object.entries(SCENARIOS)) {
  Deno.test(`the error ${code} is a tool error with its code, a sentence and advice, for both kinds of client`, async () => {
    const stage = new Stage();
    await stage.peer.initialize();
    const answer = await scenario(stage);
    assertEquals(answer.isError, true);
    const value = (answer.structuredContent as { result: JsonObject }).result;
    const error = value.error as { code: string; message: string };
    assertEquals([value.is_error, error.code], [true, code]);
    assert(error.message.length > 5 && !/\n\s+at /.test(error.message), error.message);
    const text = (answer.content as { text: string }[])[0]!.text;
    assertStringIncludes(text, code);
    assertStringIncludes(text, ADVICE[code as RunErrorCode]);
    await stage.end();
  });
}

Deno.test("the error work_unavailable is a JSON-RPC error of resources/read", async () => {
  const stage = new Stage();
  await stage.peer.initialize();
  await stage.live();
  const answer = await stage.peer.request("r", "resources/read", {
    uri: "computer-mcp://runtime/work/v1",
  });
  assertEquals((answer.error as { code: JsonValue }).code, -32000);
  await stage.end();
});
