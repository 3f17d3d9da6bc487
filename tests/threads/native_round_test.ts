import { assert, assertEquals } from "@std/assert";
import { answer, nativeEnv, route, startLoopbackModel } from "../../src/loopback/mod.ts";
import { installNative } from "../../scripts/native/install.ts";
import { makePlace, type Place } from "../../scripts/support/place.ts";
import { collectUpdates } from "../../src/threads/collect_updates.ts";
import { CostMeter } from "../../src/threads/cost.ts";
import { mcpConfigText } from "../../src/threads/mcp_config.ts";
import { roundError } from "../../src/threads/round_error.ts";
import { threadSessionId } from "../../src/threads/session_id.ts";
import {
  type RoundSession,
  type ThreadArguments,
  threadArgv,
} from "../../src/threads/thread_invocation.ts";
import { buildTranscript } from "../../src/threads/transcript.ts";
import { encodeUserMessage, type UserMessage } from "../../src/threads/user_message.ts";
import { noisePng } from "../native/png.ts";
import { readBytes } from "./rounds.ts";

const EVERYTHING: ThreadArguments = {
  model: "claude-sonnet-4-5",
  effort: "high",
  fallbackModels: ["claude-haiku-4-5", "claude-opus-4-5"],
  appendSystemPrompt: "--resume=x\nAnswer in rhymes.",
  systemPromptSnapshot: "off",
  allowedTools: ["mcp__nobody", "Bash(git log, --oneline *)"],
  disallowedTools: ["WebFetch(domain:example.com)"],
  permissionMode: "plan",
  settingSources: [],
  strictMcpConfig: true,
  forwardSubagentText: true,
  maxTurns: 3,
  maxBudgetUsd: 0.5,
};

interface World {
  readonly place: Place;
  readonly executable: string;
  readonly url: string;
}

/** One round of the real CLI. */
async function round(world: World, session: RoundSession, more: {
  readonly message: UserMessage;
  readonly options?: ThreadArguments;
  readonly before?: string;
}) {
  const { place, executable, url } = world;
  const mcpConfigPath = `${place.root}/mcp.json`;
  const refused = { type: "http", url: "http://127.0.0.1:9/" } as const;
  await Deno.writeTextFile(mcpConfigPath, mcpConfigText({ nobody: refused }));
  const child = new Deno.Command(executable, {
    args: [...threadArgv(more.options ?? {}, { session, mcpConfigPath })],
    cwd: place.project,
    clearEnv: true,
    env: nativeEnv({ home: place.home, url, extra: { CLAUDE_CODE_MAX_RETRIES: "0" } }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const before = more.before === undefined ? {} : { before: more.before };
  const line = encodeUserMessage(more.message, before);
  const written = new Blob([line]).stream().pipeTo(child.stdin);
  const [output] = await Promise.all([child.output(), written]);
  const resumed = session.kind !== "fresh";
  const start = session.kind === "resume"
    ? "resumed"
    : session.kind === "fork"
    ? "forked"
    : "fresh";
  const costs = new CostMeter({ start, before: null });
  const { reader, updates } = await readBytes(output.stdout, { resumed, costs });
  const stderrTail = new TextDecoder().decode(output.stderr);
  const error = roundError({
    record: reader.record,
    cause: null,
    exit: { code: output.code, signal: output.signal },
    cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
    stderrTail,
    resumed,
  });
  return { ...collectUpdates(updates), error, stderrTail };
}

Deno.test("the real CLI takes every option, and a thread is begun, resumed, forked and begun again", async () => {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-threads-" });
  await using model = startLoopbackModel({ script: route([{ reply: answer("Noted.") }]) });
  const world = { place, executable, url: model.url };
  const id = await threadSessionId("team/chat/42");
  const fork = await threadSessionId("team/chat/43");
  const asked = () => JSON.stringify(model.requests.at(-1)?.body);

  const missing = await round(world, { kind: "resume", id }, { message: "One" });
  assertEquals(missing.error?.name, "NoConversation");
  assertEquals(model.requests.length, 0);

  const first = await round(world, { kind: "fresh", id }, {
    message: "One",
    before: buildTranscript([{ role: "user", text: "My name is Ada." }])!.text,
  });
  assertEquals([first.error, first.text, first.session?.id], [null, "Noted.", id]);
  assert(asked().includes("user| My name is Ada."));

  const taken = await round(world, { kind: "fresh", id }, { message: "One" });
  assertEquals(taken.error?.name, "SessionTaken");

  const second = await round(world, { kind: "resume", id }, {
    message: [{ type: "text", text: "Two" }, { type: "image", data: noisePng(16) }],
    options: EVERYTHING,
  });
  assertEquals([second.error, second.text, second.session?.id], [null, "Noted.", id]);
  assertEquals(second.session?.model, "claude-sonnet-4-5");
  assert(asked().includes("Ada") && asked().includes("image/png"));
  assert(asked().includes("Answer in rhymes."));
  assert((second.result?.roundUsd ?? 0) > 0);

  const third = await round(world, { kind: "fork", id: fork, from: id }, { message: "Three" });
  assertEquals([third.error, third.text, third.session?.id], [null, "Noted.", fork]);
  assert(asked().includes("Ada") && asked().includes("Two") && asked().includes("Three"));
});

Deno.test("the real CLI reads a list of rules as it was meant", async () => {
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-threads-" });
  await using model = startLoopbackModel({ script: route([{ reply: answer("Noted.") }]) });
  const world = { place, executable, url: model.url };
  const id = await threadSessionId("rules");
  const { error } = await round(world, { kind: "fresh", id }, {
    message: "One",
    options: { disallowedTools: ["WebSearch", "Bash(a, Read)", "Write"] },
  });
  assertEquals(error, null);
  const tools = model.requests.at(-1)!.body?.tools as { name: string }[];
  const names = tools.map(({ name }) => name);
  // A tool that is denied as a whole is not offered; one of which a part is denied is.
  assert(names.includes("Read") && names.includes("Bash"), names.join());
  assert(!names.includes("Write") && !names.includes("WebSearch"), names.join());
});
