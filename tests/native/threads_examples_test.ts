/** The programs of docs/THREADS.md, run as they are printed there, on the real CLI. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import { leftBehind, processesOf } from "../../scripts/support/left_behind.ts";
import { adapterEnv, makePlace } from "../../scripts/support/place.ts";
import {
  answer,
  breakConnection,
  delay,
  hold,
  type LoopbackModel,
  type Script,
  startLoopbackModel,
  text,
} from "../../src/loopback/mod.ts";
import { blocks, ROOT } from "../docs/documents.ts";
import { asked } from "./threads_world.ts";

interface Example {
  readonly child: Deno.ChildProcess;
  readonly model: LoopbackModel;
  readonly root: string;
}

/** Runs the block of the document that holds a text, as a program of its own. */
async function withExample(
  holds: string,
  script: Script,
  body: (example: Example) => Promise<void>,
): Promise<void> {
  const found = (await blocks()).filter(({ place, language, text }) =>
    place.startsWith("docs/THREADS.md:") && language === "ts" && text.includes(holds)
  );
  assertEquals(found.length, 1, `one block with ${holds}`);
  const executable = await installNative();
  await using place = await makePlace({ prefix: "adapter-example-" });
  await using model = startLoopbackModel({ script });
  const program = `${place.root}/example.ts`;
  await Deno.writeTextFile(program, found[0]!.text);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", `--config=${ROOT}/deno.json`, program],
    cwd: place.project,
    clearEnv: true,
    env: {
      ...await adapterEnv({ place, url: model.url }),
      CLAUDE_CODE_EXECUTABLE: executable,
      PORT: "0",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await body({ child, model, root: place.root });
  assertEquals(await leftBehind(place.root), [], "processes that are left");
}

Deno.test("the terminal chat answers line by line, says what happened twice, and ends with its input", async () => {
  const script = [
    answer("Hello, Ada."),
    answer([
      text("Your name, if I remember well, is ", { chunk: 4 }),
      delay(500),
      breakConnection(),
    ]),
    answer("Ada it is."),
  ];
  await withExample("terminal/chat", script, async ({ child, model }) => {
    const input = new Blob(["My name is Ada.\n", "\n", "What is my name?\n"]).stream();
    const [output] = await Promise.all([child.output(), input.pipeTo(child.stdin)]);
    const shown = new TextDecoder().decode(output.stdout);
    assertEquals([output.code, new TextDecoder().decode(output.stderr)], [0, ""], shown);
    assertEquals(
      shown.replaceAll(/\d+\.\d+/g, "0"),
      "> Hello, Ada.\n[$0]\n" +
        "> Invalid message: it is empty; say what Claude is to answer\n" +
        "> Your name, if I remember well, is \n[again]\nAda it is.\n[$0]\n> ",
    );
    assertStringIncludes(asked(model, -1), "My name is Ada.");
  });
});

Deno.test("the HTTP endpoint streams events, and a client that goes away ends its round", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const script = [
    answer("One."),
    answer([text("Two "), hold(released), text("never.")]),
    answer("Three."),
  ];
  await withExample("event-stream", script, async ({ child, model, root }) => {
    const url = await listening(child);
    const post = (body: unknown, init: RequestInit = {}) =>
      fetch(url, { method: "POST", body: JSON.stringify(body), ...init });
    const one = await (await post({ room: "a", message: "first" })).text();
    const updates = [...one.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
    assertEquals(updates.at(0).kind, "session");
    assertEquals(updates.at(-1).kind, "result");
    assertEquals(updates.find(({ kind }) => kind === "message").text, "One.");

    const abort = new AbortController();
    const two = await post({ room: "a", message: "second" }, { signal: abort.signal });
    const reader = two.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let read = ""; !read.includes("Two");) read += (await reader.read()).value ?? "Two";
    abort.abort();
    await reader.cancel().catch(() => {});
    // The next message of the room waits for the end of the round that nobody reads.
    const three = await (await post({ room: "a", message: "third" })).text();
    assertStringIncludes(three, "Three.");
    assertEquals(model.messages.length, 3);
    const natives = (await processesOf(root)).filter(({ command }) => command.includes("--print"));
    assertEquals(natives, [], "the round of the client that went away");
    const bad = await (await post({ room: "a", message: "" })).text();
    assertStringIncludes(bad, "event: error\ndata: ");
    child.kill("SIGTERM");
    await child.status;
  });
  release();
});

/** The address that a server says it listens at. */
async function listening(child: Deno.ChildProcess): Promise<string> {
  const found = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    void (async () => {
      let said = "";
      for await (const part of stream.pipeThrough(new TextDecoderStream())) {
        said += part;
        const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0];
        if (url !== undefined) found.resolve(url);
      }
    })();
  }
  const ended = child.status.then(({ code }) => {
    throw new Error(`the server ended with ${code} before it listened`);
  });
  ended.catch(() => {});
  return await Promise.race([found.promise, ended]);
}
