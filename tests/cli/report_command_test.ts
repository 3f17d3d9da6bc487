import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readReport } from "../../src/cli/report_input.ts";
import { runProgram, sourceTest } from "../helpers/program.ts";
import { FIXTURES } from "../helpers/replay.ts";
import { ended, longRun } from "../report/events.ts";
import { cleanEnv } from "./adapter.ts";

const STORY = new URL("story.ndjson", FIXTURES).pathname;
const MAY_WRITE = { permissions: ["--allow-write"] };

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "adapter-report " });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("report prints one page, the same each time, and --out writes it for its owner alone", async () => {
  await inFolder(async (folder) => {
    const first = await runProgram(["report", STORY], { env: cleanEnv() });
    assertEquals([first.code, first.stderr], [0, ""]);
    assert(first.stdout.startsWith("<!doctype html>") && first.stdout.endsWith("</html>\n"));
    assertStringIncludes(first.stdout, "<title>story.ndjson · Claude Code run</title>");
    const out = `${folder}/page.html`;
    // An older page that others could read.
    await Deno.writeTextFile(out, "x".repeat(1_000_000), { mode: 0o644 });
    const second = await runProgram(["report", STORY, "--out", out], {
      env: cleanEnv(),
      ...MAY_WRITE,
    });
    assertEquals([second.code, second.stdout, second.stderr], [0, "", ""]);
    assertEquals(await Deno.readTextFile(out), first.stdout);
    assertEquals((await Deno.stat(out)).mode! & 0o777, 0o600);
  });
});

Deno.test("report takes a title, and a saved value on many lines", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/value.json`;
    const value = { run_id: "r", state: "completed", events: [ended()], cleanup_confirmed: true };
    await Deno.writeTextFile(file, `\ufeff${JSON.stringify(value, null, 2)}\n`);
    const args = ["report", file, "--title=<My> run"];
    const { code, stdout } = await runProgram(args, { env: cleanEnv() });
    assertEquals(code, 0);
    assertStringIncludes(stdout, "<title>&lt;My&gt; run · Claude Code run</title>");
    assertStringIncludes(stdout, "Nothing left behind");
  });
});

const WRONG: readonly (readonly [readonly string[], number, string])[] = [
  [[], 2, "name a file of events"],
  [["a", "b"], 2, "'b' is one argument too many"],
  [["--format", "pdf"], 2, "there is no option '--format'"],
  [[STORY, "--out"], 2, "--out needs a file to write"],
  [[STORY, "--out", STORY], 2, "--out is the file of events itself"],
  [["nothing\u001b[2J.jsonl"], 1, "there is no file 'nothing?[2J.jsonl'"],
  [["0b7c3a52-8f0e-4f4b-9a53-6c3f3c1f7d10"], 1, "runs live in the server's memory"],
  [["/"], 1, "'/' is a folder"],
  [[STORY, "--out", "/nowhere/page.html"], 1, "cannot write '/nowhere/page.html'"],
];

Deno.test("report says in a sentence what is wrong", async () => {
  for (const [args, code, message] of WRONG) {
    const ended = await runProgram(["report", ...args], { env: cleanEnv(), ...MAY_WRITE });
    assertEquals([ended.code, ended.stdout], [code, ""], ended.stderr);
    assertStringIncludes(ended.stderr, message);
    assertEquals(ended.stderr.trimEnd().split("\n").length, 1, ended.stderr);
  }
});

sourceTest("report without the permission to write says so, and leaves no file", async () => {
  await inFolder(async (folder) => {
    const args = ["report", STORY, "--out", `${folder}/page.html`];
    const { code, stderr } = await runProgram(args, { env: cleanEnv() });
    assertEquals(code, 1);
    assertStringIncludes(stderr, "--allow-write");
    assertEquals([...Deno.readDirSync(folder)], []);
  });
});

/** What a shell does with the program's output, the exit code, and what is said. */
const UNWRITTEN: readonly (readonly [string, number, string])[] = [
  [`"$@" > /dev/full`, 1, "standard output cannot be written: No space left on device"],
  // Deno opens a device only for who may do everything.
  [`"$@" --out /dev/full`, 1, "cannot write '/dev/full': No space left on device"],
  [`{ "$@"; echo $? >&2; } | head -c 10 > /dev/null; exit 0`, 0, "141"],
];

sourceTest(
  "a page that cannot be written is a sentence and exit 1, and a reader who left is told nothing",
  async () => {
    await inFolder(async (folder) => {
      const long = `${folder}/long.jsonl`;
      // More than a pipe holds.
      await Deno.writeTextFile(
        long,
        [...longRun(2_000)].map((event) => JSON.stringify(event)).join("\n"),
      );
      for (const [line, code, message] of UNWRITTEN) {
        const output = await new Deno.Command("sh", {
          args: ["-c", line, "sh", "deno", "run", "-A", "mod.ts", "report", long],
          cwd: new URL("../../", import.meta.url),
          env: { NO_COLOR: "1" },
        }).output();
        const stderr = new TextDecoder().decode(output.stderr);
        assertEquals(output.code, code, stderr);
        assertStringIncludes(stderr, message);
        assertEquals(stderr.trimEnd().split("\n").length, 1, stderr);
      }
    });
  },
);

/** Files that are no events. */
const BAD: readonly (readonly [string, string | Uint8Array, string])[] = [
  ["nothing", "", "is empty"],
  ["blank lines", "\n\n  \n", "holds no event"],
  [
    "text",
    "hello\nworld\n",
    'is not JSON lines: 2 lines are no JSON object, the first begins "hello"',
  ],
  ["an escape sequence", "\u001b[2J\n", 'the first begins "\\x1b[2J"'],
  ["bytes", new Uint8Array(5_000).fill(0xff), "is not JSON lines"],
  ["half an event", '{"type":"assist', "is not JSON lines: its line is no JSON object"],
  ["other JSON", '{"name":"x"}', "no type of event in it is known"],
  ["other JSON lines", '{"level":"info"}\n{"level":"info"}\n', "no type of event in it is known"],
  ["one endless line", new Uint8Array(9_000_000), "holds only lines longer than 8 MiB"],
  ["a number", "17", "holds no event"],
  ["an empty list", "[]", "holds no event"],
];

Deno.test("a file without events is a sentence, and never a page", async () => {
  await inFolder(async (folder) => {
    for (const [name, content, message] of BAD) {
      const file = `${folder}/events`;
      await Deno.writeFile(
        file,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
      const input = await readReport(file, 1e8);
      assert(!input.ok, name);
      assertStringIncludes(input.message, message);
      assertStringIncludes(input.message, "stream-json");
    }
  });
});

Deno.test("a file is read up to its bound, whatever its length, and the page says so", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/events`;
    const line = `${JSON.stringify([...longRun(3)][0])}\n`;
    const block = new TextEncoder().encode(line.repeat(1_000));
    const target = await Deno.open(file, { write: true, create: true });
    while ((await target.seek(0, Deno.SeekMode.Current)) < 20_000_000) await target.write(block);
    target.close();
    const whole = await readReport(file, 1e9);
    const part = await readReport(file, 18_000_000);
    assert(whole.ok && part.ok);
    assertEquals([whole.report.reading.isStopped, part.report.reading.isStopped], [false, true]);
    assert(part.report.reading.events < whole.report.reading.events);
  });
});

Deno.test("an event that is too large is left out, and what follows is read", async () => {
  await inFolder(async (folder) => {
    const file = `${folder}/events`;
    const large = JSON.stringify({ type: "user", message: { content: "x".repeat(9_000_000) } });
    await Deno.writeTextFile(file, `${large}\n${JSON.stringify(ended())}\n`);
    const input = await readReport(file, 1e9);
    assert(input.ok);
    assertEquals([input.report.reading.oversized, input.report.ending.state], [1, "succeeded"]);
  });
});
