/** How turns end on the real CLI: limits, failures, silence, cancels, and what is left of them. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { AdapterError } from "../../src/base/errors.ts";
import type { TurnOptions } from "../../src/executor/turn_options.ts";
import { answer, failure, hold, type Script, text, toolUse } from "../../src/loopback/mod.ts";
import {
  ended,
  inExecutorWorld,
  type NativeCase,
  privateFolders,
  told,
  tool,
} from "./executor_world.ts";
import { type Stage, startEmbedder } from "./embedder.ts";

/** The cases, in order. */
export const ENDS_OF_TURNS: NativeCase[] = [];
const test = (name: string, body: () => Promise<void>) => ENDS_OF_TURNS.push({ name, body });

const wait = (more = {}) => toolUse("mcp__tools__wait", more);
const until = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  );

test("a cancel in the middle of a call ends the handler, the bridge and the process, in this order", async () => {
  for (const how of ["signal", "cancel", "dispose", "executor"] as const) {
    await inExecutorWorld({ script: () => answer([wait()]) }, async ({ executor, root }) => {
      const called = Promise.withResolvers<void>();
      const order: string[] = [];
      const waits = tool("wait", async (_, { signal }) => {
        called.resolve();
        await until(signal).catch(async () => {
          order.push((await leftBehind(root)).length > 0 ? "handler, process alive" : "handler");
        });
      });
      const stop = new AbortController();
      const turn = executor.execute({ prompt: "Go", tools: [waits], signal: stop.signal });
      const over = ended(turn);
      await called.promise;
      if (how === "signal") stop.abort();
      else if (how === "cancel") turn.cancel();
      else await (how === "dispose" ? turn : executor)[Symbol.asyncDispose]();
      const { error, events } = await over;
      assertEquals([error?.code, events.at(-1)?.type], ["cancelled", "result"]);
      assertEquals(order, ["handler, process alive"]);
      assertEquals(await leftBehind(root), []);
    });
  }
});

test("a turn that is cancelled before it begins starts nothing", async () => {
  await inExecutorWorld({ script: [] }, async ({ turn }) => {
    const { error, events } = await turn({ prompt: "Go", signal: AbortSignal.abort() });
    assertEquals([error?.code, events.map(({ type }) => type)], ["cancelled", ["result"]]);
  });
});

test("an executor that is closed ends its turns and begins no other; closing it again is nothing new", async () => {
  await inExecutorWorld({ script: () => answer([wait()]) }, async ({ executor }) => {
    const began = Promise.withResolvers<void>();
    const tools = [tool("wait", () => (began.resolve(), new Promise(() => {})))];
    const called = executor.execute({ prompt: "Go", tools });
    await began.promise;
    const starting = executor.execute({ prompt: "Go", tools });
    await Promise.all([executor[Symbol.asyncDispose](), executor[Symbol.asyncDispose]()]);
    for (const { result } of [called, starting]) {
      assertEquals(await result.catch((error) => error.code), "cancelled");
    }
    assertThrows(() => executor.execute({ prompt: "Go" }), AdapterError, "closed");
    await executor[Symbol.asyncDispose]();
  });
});

/** The real CLI, after its configuration file was changed. */
const changed = (executable: string, edit: string) =>
  `#!/bin/sh
for a in "$@"; do case "$a" in --mcp-config=*) sed -i '${edit}' "\${a#--mcp-config=}";; esac; done
exec '${executable}' "$@"
`;

test("a turn whose bridge cannot be reached, or whose key is wrong, fails at once", async () => {
  const executable = await installNative();
  for (const edit of ["s/127.0.0.1:[0-9]*/127.0.0.1:9/", 's/Bearer [^"]*/Bearer nope/']) {
    const program = changed(executable, edit);
    await inExecutorWorld({ script: () => answer("Hm."), program }, async ({ turn }) => {
      const { error } = await turn({ prompt: "Go", tools: [tool("wait", () => "ok")] });
      assertEquals(error?.code, "bridge_failed");
      assertMatch(error!.message, /connection to the bridge is '(failed|needs-auth)'/);
    });
  }
});

test("when the model is overloaded, the next one of the list answers", async () => {
  const asked: (string | undefined)[] = [];
  const script: Script = (request) => {
    const { model } = request.body ?? {};
    asked.push(model);
    return model === "claude-haiku-4-5" ? answer("Done.") : failure(529);
  };
  const options = { maxRetries: 3, fallbackModel: "claude-haiku-4-5,claude-opus-4-5" };
  await inExecutorWorld({ script, options }, async ({ turn }) => {
    const { error, result, events } = await turn({ prompt: "Go" });
    assertEquals([error, result?.text], [null, "Done."]);
    assertEquals(asked.at(-1), "claude-haiku-4-5");
    assert(events.some((event) => event.type === "retry" && event.status === 529));
    assert(events.some((event) => event.type === "log" && event.level === "warn"));
  });
});

const SCHEMA = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

interface EndCase {
  readonly what: string;
  readonly script: Script;
  readonly options?: Partial<TurnOptions>;
  readonly code: string | null;
  readonly says?: RegExp;
  readonly facts?: { readonly [name: string]: unknown };
}

const output = (value: Record<string, unknown>) => toolUse("StructuredOutput", value);
const ENDS: readonly EndCase[] = [
  {
    what: "maxTurns",
    script: () => answer([wait()]),
    options: { maxTurns: 2 },
    code: "vendor_failed",
    says: /maximum number of turns \(2\)/,
    facts: { subtype: "error_max_turns", retryable: false, status: null },
  },
  {
    what: "maxBudgetUsd",
    script: () => answer([wait()]),
    options: { maxBudgetUsd: 0.0001 },
    code: "vendor_failed",
    facts: { subtype: "error_max_budget_usd" },
  },
  {
    what: "a key that is refused, tried once more",
    script: () => failure(401),
    options: { maxRetries: 1 },
    code: "authentication_required",
  },
  {
    what: "an API that is overloaded",
    script: () => failure(529),
    code: "vendor_failed",
    facts: { status: 529, retryable: true },
  },
  {
    what: "a prompt that does not fit",
    script: () => failure(400, { message: "prompt is too long: 250000 tokens > 200000 maximum" }),
    code: "context_overflow",
    facts: { status: 400, retryable: false },
  },
  {
    what: "structured output",
    script: [answer([output({ n: 1 })]), answer("Done.")],
    options: { jsonSchema: SCHEMA },
    code: null,
  },
  {
    what: "text in place of structured output",
    script: () => answer("One."),
    options: { extraArgs: { "--json-schema": JSON.stringify(SCHEMA) } },
    code: "invalid_structured_output",
    says: /answered with text/,
    facts: { answer: "One.\n\nOne." }, // the CLI asked once more
  },
  {
    what: "structured output past what is read",
    script: [answer([output({ n: 1, text: "x".repeat(1_100_000) })]), answer("Done.")],
    options: { jsonSchema: { ...SCHEMA, additionalProperties: true } },
    code: "result_too_large",
    says: /read up to 1048576 bytes; ask for less/,
  },
  {
    what: "structured output that never fits",
    script: () => answer([output({ n: "one" })]),
    options: { jsonSchema: SCHEMA },
    code: "vendor_failed",
    facts: { subtype: "error_max_structured_output_retries" },
  },
];

test("limits, failures of the API and structured output end a turn with their own errors", async () => {
  for (const { what, script, options = {}, code, says = /./, facts = {} } of ENDS) {
    await inExecutorWorld({ script, options }, async ({ turn, model }) => {
      const { error, result, events } = await turn({
        prompt: "Go",
        tools: [tool("wait", () => "ok")],
      });
      assertEquals(error?.code ?? null, code, `${what}: ${error?.message}`);
      assertMatch(error?.message ?? "", code === null ? /^$/ : says, what);
      for (const [name, value] of Object.entries(facts)) {
        assertEquals(error?.[name as "message"], value as string, `${what}: ${name}`);
      }
      if (code === null) assertEquals(result?.structuredOutput, { n: 1 });
      if (what.includes("once more")) {
        assertEquals(model.messages.length, 2);
        const retry = events.find((event) => event.type === "retry");
        assertEquals([retry?.attempt, retry?.maxRetries, retry?.status], [1, 1, 401]);
      }
      const told = JSON.stringify(events.filter(({ type }) => type !== "result"));
      assert(!told.includes("StructuredOutput"), "the CLI's own tool shows");
    });
  }
});

test("a CLI that is not there, crashes, or talks something else fails the turn, and says how", async () => {
  const executable = await installNative();
  const version = `#!/bin/sh
case "$1" in --version) exec '${executable}' --version;; esac
`;
  const init = '{"type":"system","subtype":"init","session_id":"s","mcp_servers":[]}';
  const table = [
    [
      `echo 'no frame'; echo 'the last words' >&2; exit 9`,
      "vendor_failed",
      /exit code 9.*last words/,
    ],
    [`echo '${init}'; kill -KILL $$`, "vendor_failed", /SIGKILL/],
    [`echo '${init}'; echo '{"type":"resu'; exit 0`, "vendor_failed", /without a result/],
    [
      `echo '${init}'; printf '{"type":"resu'; exit 0`,
      "invalid_vendor_response",
      /not a JSON frame/,
    ],
  ] as const;
  for (const [script, code, says] of table) {
    await inExecutorWorld({ script: [], program: version + script }, async ({ turn }) => {
      const { error, events } = await turn({ prompt: "Go" });
      assertEquals(error?.code, code, error?.message);
      assertMatch(error!.message, says);
      if (script.includes("no frame")) {
        assert(events.some((event) => event.type === "log" && /no frame$/.test(event.message)));
      }
    });
  }
  const missing = { options: { executable: "/nowhere/claude" }, script: [] };
  await inExecutorWorld(missing, async ({ executor }) => {
    await assertRejects(
      async () => await executor.execute({ prompt: "Go" }).result,
      Error,
      "/nowhere",
    );
  });
  await inExecutorWorld({ script: [], program: "#!/bin/sh\necho 9.9.9\n" }, async ({ turn }) => {
    assertEquals((await turn({ prompt: "Go" })).error?.code, "incompatible_vendor");
  });
});

test("a CLI that never begins, and one that falls silent, are stopped at their bounds; a tool may be silent", async () => {
  const executable = await installNative();
  const program = `#!/bin/sh
case "$1" in --version) exec '${executable}' --version;; esac
exec sleep 100
`;
  await inExecutorWorld(
    { script: [], program, options: { startupTimeoutMs: 1_000 } },
    async (world) => {
      const { error } = await world.turn({ prompt: "Go" });
      assertEquals(error?.code, "startup_timeout");
    },
  );
  const options = { streamIdleTimeoutMs: 1_500 };
  const script: Script = (request) =>
    JSON.stringify(request.body?.messages).includes("tool_result")
      ? answer([text("Hm"), hold(new Promise(() => {}))])
      : answer([wait()]);
  await inExecutorWorld({ script, options }, async ({ turn, model }) => {
    const slow = tool(
      "wait",
      () => new Promise<string>((done) => setTimeout(done, 3_500, "slept")),
    );
    const { error } = await turn({ prompt: "Go", tools: [slow] });
    assertEquals(error?.code, "stalled");
    assertEquals(told(model, 1), ["slept"], "while the tool ran nothing was stopped");
  });
});

const STAGES: readonly Stage[] = ["made", "ready", "spawned", "init", "called", "cancelled"];

test("a program that is killed at any stage leaves no process, and its folder goes with the next executor", async () => {
  for (const stage of STAGES) await killedAt(stage);
});

async function killedAt(stage: Stage): Promise<void> {
  const script: Script = (request) =>
    JSON.stringify(request.body?.messages).includes("tool_result")
      ? answer("Done.")
      : answer([wait()]);
  await inExecutorWorld({ script }, async ({ model, root }) => {
    // A place of its own: elsewhere other programs' executors may remove the folder before it is looked for.
    const temporary = `${root}/temporary`;
    await Deno.mkdir(temporary);
    const { url } = model;
    const embedder = await startEmbedder({ url, root, temporary, stage });
    if (stage === "called") {
      assert((await leftBehind(root, { except: embedder.pid })).length >= 1, "its CLI");
    }
    Deno.kill(embedder.pid, "SIGKILL");
    await embedder.ended;
    await gone(async () => (await leftBehind(root)).length === 0);
    const left = await privateFolders(temporary);
    // Before there is one, and when its clean-up is quicker than the kill, none is left.
    const [least, most] = stage === "made" || stage === "cancelled" ? [0, 1] : [1, 1];
    assert(least <= left.length && left.length <= most, `${stage}: ${left.length} folders`);
    const next = await startEmbedder({ url, root, temporary, waits: false });
    assertEquals(await next.ended, 0);
    assertEquals(await privateFolders(temporary), [], stage);
  });
}

/** Polls a fact. */
async function gone(fact: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    if (await fact()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it is still there after 10 s");
}
