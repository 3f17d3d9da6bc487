import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { createClaude } from "../../src/library/claude.ts";
import { answer } from "../../src/loopback/mod.ts";
import type { UserMessage } from "../../src/threads/user_message.ts";
import { noisePng } from "./png.ts";
import { asked, inThreads, say } from "./threads_world.ts";

/** The smallest JPEG that decoders take: one grey pixel. */
const JPEG =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z";

const noted = () => answer("Noted.");

Deno.test("what a user says is text: no command of the CLI runs, and no file is put in", async () => {
  await inThreads(noted, async ({ root, project, model, thread }) => {
    await Deno.writeTextFile(`${root}/secret.txt`, "what-nobody-said");
    await Deno.writeTextFile(`${project}/with space.txt`, "what-nobody-said");
    const files = ["@../secret.txt", `read @${root}/secret.txt`, '@"with space.txt"'];
    const messages: readonly UserMessage[] = [
      "/cost",
      "/clear",
      "/compact now",
      ...files,
      `hello\n${files[0]} and ${files[1]}, @ last @/`,
      `/cost ${files[0]}`,
      `@//cost ${files[0]}`,
      [{ type: "text", text: "first" }, { type: "text", text: "/cost" }],
      [{ type: "image", data: noisePng(8) }, { type: "text", text: files[0]! }],
    ];
    for (const [index, message] of messages.entries()) {
      const { text, session } = await say(thread(`text/${index}`), message);
      assertEquals([text, session?.id], ["Noted.", await thread(`text/${index}`).sessionId()]);
      assertEquals(model.messages.length, index + 1, `${message} is answered by the model`);
      assert(!asked(model, index).includes("what-nobody-said"), String(message));
      const words = typeof message === "string" ? message : "";
      // It may come in two blocks, but nothing of it is changed.
      const whole = asked(model, index).replaceAll('"},{"type":"text","text":"', "");
      assertStringIncludes(whole, JSON.stringify(words).slice(1, -1));
    }
  });
});

Deno.test("a message that is handed on as the CLI's own syntax runs commands and puts files in", async () => {
  await inThreads(noted, async ({ root, model, thread }) => {
    await Deno.writeTextFile(`${root}/secret.txt`, "what-is-in-the-file");
    const room = thread("native/1", { nativeSyntax: true });
    assertStringIncludes((await say(room, "/cost")).result?.text ?? "", "cost");
    assertEquals(model.messages.length, 0, "the CLI answers by itself");
    const cleared = await say(room, "/clear");
    assertStringIncludes(cleared.notices.at(-1)?.message ?? "", "went over to another session");
    await say(room, "@../secret.txt");
    assertStringIncludes(asked(model, 0), "what-is-in-the-file");
    const text = thread("native/2", { nativeSyntax: true, disallowedTools: ["Read(//**)"] });
    await say(text, "@../secret.txt");
    assert(!asked(model, 1).includes("what-is-in-the-file"), "a rule with a path stops it");
  });
});

Deno.test("PNG and JPEG go to the model as they are", async () => {
  await inThreads(noted, async ({ model, thread }) => {
    const png = noisePng(16);
    const { text } = await say(thread("images"), [
      { type: "text", text: "Which is which?" },
      { type: "image", data: png },
      { type: "image", data: JPEG },
    ]);
    assertEquals(text, "Noted.");
    assertStringIncludes(asked(model, 0), btoa(String.fromCharCode(...png)));
    assertStringIncludes(asked(model, 0), '"media_type":"image/jpeg"');
    assert(!asked(model, 0).includes("could not be processed"), "both were taken");
  });
});

Deno.test("9.9 MB are the CLI's to judge, 11 MB start nothing, and the thread goes on", async () => {
  await inThreads(noted, async ({ model, thread }) => {
    const room = thread("large");
    await say(room, "first");
    const bytes = "word ".repeat(1_980_000);
    // Measured: it compacts the conversation before, and sends the message whole.
    const { notices } = await say(room, bytes);
    assertEquals(notices.map(({ topic }) => topic), ["compaction", "compaction"]);
    assertStringIncludes(asked(model, -1), bytes);
    const large = await assertRejects(() => say(thread("fresh"), bytes), AdapterError, "too long");
    assertEquals(large.code, "vendor_failed");
    const picture = { type: "image", data: noisePng(1_500) } as const; // 6.8 MB, 9 MB as base64
    assertEquals((await say(thread("picture"), [picture])).text, "Noted.");
    const asks = model.requests.length;
    const refused = await assertRejects(
      () => say(room, "x".repeat(11_000_000)),
      AdapterError,
      "the bound is 10485760",
    );
    assertEquals([refused.code, model.requests.length], ["invalid_arguments", asks]);
    assertEquals((await say(room, "and on")).text, "Noted.");
    assertStringIncludes(asked(model, -1), "first");
    // With a picture that leaves no room for it, less of the history is handed over.
    const text = "x".repeat(100_000);
    const history = Array.from(
      { length: 20 },
      (_, n) => ({ role: "user", text: `${n}${text}` } as const),
    );
    const transcript = { maxBytes: 20_000_000 };
    await say(thread("anew", { transcript }), [picture], { history });
    assertStringIncludes(asked(model, -1), "user| 19x");
    assert(!asked(model, -1).includes("user| 10x"));
  });
});

Deno.test("what is no message, thread, place or bound is refused before anything is started", async () => {
  await inThreads([], async ({ root, config, executable, model, thread }) => {
    await Deno.writeTextFile(`${root}/file`, "");
    await Deno.mkdir(`${root}/gone`);
    const gone = thread("room", { cwd: `${root}/gone` });
    await Deno.remove(`${root}/gone`);
    const room = thread("room");
    // deno-lint-ignore no-explicit-any -- what a caller without types can give
    const any = (value: unknown): any => value;
    const hi = "hello";
    const table: readonly (readonly [says: string, send: () => Promise<unknown>])[] = [
      ["Invalid thread path: it is empty", () => say(thread(""), hi)],
      ["10000 characters, and the bound is 1024", () => say(thread("x".repeat(10_000)), hi)],
      ["Invalid message: it is empty", () => say(room, "")],
      ["Invalid message: it is empty", () => say(room, " \n")],
      ["only PNG and JPEG", () => say(room, [{ type: "image", data: any("R0lGODdhAQABAAA=") }])],
      ["'cwd'", () => say(gone, hi)],
      ["'cwd'", () => say(thread("room", { cwd: any(5) }), hi)],
      ["'configDir'", () => say(thread("room", { configDir: `${root}/file` }), hi)],
      ["'configDir'", () => say(thread("room", { configDir: any(null) }), hi)],
      ["'configDir'", () => say(thread("room", { configDir: "here" }), hi)],
      ["'history'", () => say(room, hi, { history: any("x") })],
      ["Turn 0 of the history", () => say(room, hi, { history: any([{}]) })],
      ["byte bound", () => say(thread("room", { transcript: { maxBytes: -1 } }), hi)],
      ["'permissionMode'", () => say(thread("room", { permissionMode: any("auto") }), hi)],
      ["'auth'", () => say(thread("room", { auth: any({ kind: "key" }) }), hi)],
      ["'mcpServers'", () => say(thread("room", { mcpServers: any({ a: {} }) }), hi)],
      ["'whenBusy'", () => say(thread("room", { whenBusy: any("never") }), hi)],
      ["'nativeSyntax'", () => say(thread("room", { nativeSyntax: any("no") }), hi)],
      ["'signal'", () => say(room, hi, { signal: any({}) })],
      ...[NaN, -1, 0, null, "5000", 3e9].map((ms) =>
        ["'idleMs'", () => say(thread("room", { idleMs: any(ms) }), hi)] as const
      ),
      ["'toolIdleMs'", () => say(thread("room", { toolIdleMs: NaN }), hi)],
    ];
    for (const [says, send] of table) {
      const error = await assertRejects(send, AdapterError, says);
      assertEquals(error.code, "invalid_arguments", says);
    }
    assertEquals(model.requests.length, 0);
    assertEquals(await Array.fromAsync(Deno.readDir(config)), [], "nothing was written");
    const elsewhere = thread("room", { configDir: `${root}/none` });
    assertEquals([await elsewhere.exists(), await elsewhere.cost()], [false, null]);
    await assertRejects(() => Deno.stat(`${root}/none`), Deno.errors.NotFound);
    await using homeless = createClaude({ executable, env: {} });
    await assertRejects(() => say(homeless.thread("room"), hi), AdapterError, "HOME");
  });
});

Deno.test("files that cannot be written are an error with a code, not a raw one", async () => {
  await inThreads([], async ({ config, thread }) => {
    await Deno.writeTextFile(`${config}/claude-code-adapter`, "a file in the way");
    const error = await assertRejects(() => say(thread("room"), "hello"), AdapterError);
    assertEquals(error.code, "invalid_configuration");
    assertStringIncludes(error.message, "A file of the thread could not be used");
  });
});
