/** `run` as a process, in pipes: the real CLI and the scripted model. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isAlive } from "../../scripts/support/left_behind.ts";
import { SETTLED_LINE_TYPE, STARTED_LINE_TYPE } from "../../src/runs/event_lines.ts";
import { answer, failure, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { runProgram, sourceTest, startProgram } from "../helpers/program.ts";
import { type CommandWorld, inCommandWorld } from "./command_world.ts";

function run({ executable }: CommandWorld, ...args: readonly string[]): string[] {
  return ["run", "--executable", executable, ...args];
}

const LOOK = answer([
  text("Let me look."),
  toolUse("Bash", { command: "echo hi > made; cat made", description: "Say hi" }),
]);

Deno.test("run shows text, a line for each tool call, and how it ended", async () => {
  await inCommandWorld({ script: [LOOK, answer("Done.")], allowBash: true }, async (world) => {
    const { code, stdout, stderr } = await world.run(...run(world, "look"));
    assertEquals([code, stderr], [0, ""]);
    const [first, gap, call, gap2, last, gap3, end, rest] = stdout.split("\n");
    assertEquals([first, gap, gap2, last, gap3, rest], ["Let me look.", "", "", "Done.", "", ""]);
    assertMatch(call!, /^✓ Bash\(echo hi > made; cat made\) {2}\d+\.\d s$/);
    assertMatch(
      end!,
      /^✓ done in \d+\.\d s · 1 tool call · 20 tokens in, 10 out · \$0\.0003 · session [0-9a-f-]{36}$/,
    );
  });
});

Deno.test("the prompt may be an argument, a file or standard input", async () => {
  const script = () => answer("Yes.");
  await inCommandWorld({ script }, async (world) => {
    await Deno.writeTextFile(`${world.project}/prompt.md`, "From a file.\n");
    const quiet = run(world, "--quiet");
    const piped = { env: world.env, cwd: world.project, stdin: "From a pipe.\n" };
    const ways = [
      await world.run(...quiet, "--", "--from an argument"),
      await world.run(...quiet, "--file", "prompt.md"),
      await runProgram(quiet, piped),
      await runProgram([...quiet, "-"], piped),
    ];
    for (const { code, stdout, stderr } of ways) {
      assertEquals([code, stdout, stderr], [0, "Yes.\n", ""]);
    }
    const asked = world.model.messages.map(({ body }) => JSON.stringify(body));
    for (
      const [i, prompt] of ["--from an argument", "From a file.", "From a pipe.", "From a pipe."]
        .entries()
    ) {
      assertStringIncludes(asked[i]!, `"${prompt}"`, "as it is, without the line end of the file");
    }
  });
});

const USAGE: readonly (readonly [readonly string[], string])[] = [
  [[], "there is no prompt: standard input is empty"],
  [["a", "b"], "'b' is one argument too many"],
  [["--file", "nowhere.md"], "the file 'nowhere.md' cannot be read"],
  [["--file", "binary"], "is not UTF-8 text"],
  [["--file", "blank"], "there is no prompt: the file 'blank' is empty"],
  [["--file", "blank", "x"], "the prompt is given twice"],
  [["--json", "--quiet", "x"], "--json and --quiet exclude each other"],
  [["--timeout", "0", "x"], "--timeout needs a whole number from 1 to 1800"],
  [["--max-budget-usd", "much", "x"], "--max-budget-usd needs a number"],
  [["--resume", "a", "--continue", "x"], "continue_previous"],
  [["--cwd", "nowhere", "x"], "--cwd 'nowhere' cannot be used"],
  [["--events", "blank", "x"], "--events cannot write"],
];

Deno.test("wrong usage is one sentence and exit code 2, and nothing is started or made", async () => {
  await inCommandWorld({ script: [] }, async (world) => {
    await Deno.writeFile(`${world.project}/binary`, new Uint8Array([0x61, 0xff, 0xfe]));
    await Deno.writeTextFile(`${world.project}/blank`, " \n\n");
    for (const [args, sentence] of USAGE) {
      const { code, stdout, stderr } = await world.run(...run(world, ...args));
      assertEquals([code, stdout, stderr.trimEnd().split("\n").length], [2, "", 1], stderr);
      assertStringIncludes(stderr, sentence);
    }
    assertEquals(world.model.messages.length, 0);
    const files = await Array.fromAsync(Deno.readDir(world.project), ({ name }) => name);
    assertEquals(files.sort(), ["binary", "blank"]);
  });
});

sourceTest("--events without the permission to write says so, and nothing is started", async () => {
  await inCommandWorld({ script: [] }, async (world) => {
    const { code, stderr } = await world.run(...run(world, "--events", "new", "x"));
    assertEquals(code, 2);
    assertStringIncludes(stderr, "run again with the --allow-write flag");
    assertEquals(await Array.fromAsync(Deno.readDir(world.project)), []);
  });
});

Deno.test("--json gives the settled value of claude.run, and --events the events with it", async () => {
  await inCommandWorld({ script: [LOOK, answer("Done.")], allowBash: true }, async (world) => {
    const { code, stdout, stderr } = await runProgram(
      run(world, "--json", "--events", "run.ndjson", "--max-events", "3", "look"),
      { env: world.env, cwd: world.project, permissions: ["--allow-write"] },
    );
    assertEquals([code, stderr, stdout.indexOf("\n")], [0, "", stdout.length - 1]);
    const value = JSON.parse(stdout);
    assertEquals([value.state, value.result, value.cleanup_confirmed], [
      "completed",
      "Done.",
      true,
    ]);
    assertEquals([value.events.length, value.event_page.next_cursor], [3, 3]);
    const path = `${world.project}/run.ndjson`;
    const lines = (await Deno.readTextFile(path)).split("\n");
    assertEquals(lines.pop(), "", "the last line is whole");
    const events = lines.map((line) => JSON.parse(line));
    const started = events.shift();
    assertEquals([started.type, started.run_id, started.prompt], [
      STARTED_LINE_TYPE,
      value.run_id,
      "look",
    ]);
    const { type, ...settled } = events.pop();
    const { events: first, event_page, events_truncated: _, ...rest } = value;
    assertEquals([type, settled], [SETTLED_LINE_TYPE, rest]);
    assertEquals(events.length, event_page.observed_events);
    assertEquals(events.slice(0, 3), first);
    assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
    const again = await runProgram(run(world, "--events", "run.ndjson", "look"), {
      env: world.env,
      cwd: world.project,
      permissions: ["--allow-write"],
    });
    assertEquals([again.code, again.stdout], [2, ""]);
    assertStringIncludes(again.stderr, "exists already, and nothing is overwritten");
  });
});

Deno.test("what cannot start leaves no file of events", async () => {
  await inCommandWorld({ script: [] }, async (world) => {
    const { code, stderr } = await runProgram(
      ["run", "--executable", `${world.project}/nothing`, "--events", "e", "x"],
      { env: world.env, cwd: world.project, permissions: ["--allow-write"] },
    );
    assertEquals(code, 2, stderr);
    assertStringIncludes(stderr, "(dependency_unavailable)");
    assertEquals(await Array.fromAsync(Deno.readDir(world.project)), []);
  });
});

Deno.test("a failed run says why, with its exit code, in every form", async () => {
  await inCommandWorld({ script: [], loggedIn: false }, async (world) => {
    for (const form of [[], ["--quiet"], ["--json"]]) {
      const { code, stdout, stderr } = await world.run(...run(world, ...form, "hello"));
      assertEquals(code, 3, stderr);
      assertMatch(
        stderr,
        /^claude-code-adapter run: Not logged in .*\(authentication_required\)\n$/,
      );
      if (form[0] === "--quiet") assertEquals(stdout, "", "the CLI's complaint is no answer");
      else if (form[0] === "--json") {
        assertEquals(JSON.parse(stdout).error.code, "authentication_required");
      } else assertMatch(stdout, /^✗ Not logged in[^\n]*\n✗ failed after [^\n]*\n$/);
    }
  });
  await inCommandWorld(
    { script: () => failure(400) },
    async (world) => {
      const { code, stderr } = await world.run(...run(world, "hello"));
      assertEquals(code, 1);
      assertStringIncludes(stderr, "(vendor_failed)");
    },
  );
});

Deno.test("a conversation goes on, and the deadline has its exit code", async () => {
  const released = Promise.withResolvers<void>();
  const script = [
    answer("One."),
    answer("Two."),
    answer("Three."),
    answer([text("Let me "), hold(released.promise), text("think.")]),
  ];
  await inCommandWorld({ script }, async (world) => {
    const id = crypto.randomUUID();
    const said = async (...args: string[]) =>
      (await world.run(...run(world, "--quiet", ...args))).stdout;
    assertEquals(await said("--session-id", id, "first"), "One.\n");
    assertEquals(await said("--resume", id, "second"), "Two.\n");
    assertEquals(await said("--continue", "third"), "Three.\n");
    assertStringIncludes(JSON.stringify(world.model.messages[2]?.body), "One.");
    const { code, stdout, stderr } = await world.run(...run(world, "--timeout=6", "fourth"));
    assertEquals(code, 4, stderr);
    assertStringIncludes(stdout, "Let me ");
    assertStringIncludes(stderr, "within its 6 s");
    assertStringIncludes(stderr, "clean-up confirmed: Claude Code ended with exit code");
  });
  released.resolve();
});

Deno.test("a model cannot control the terminal or the lines of a pipe; --quiet gives a pipe its exact answer", async () => {
  const hostile = "a\x1b[2J\x07b\r\nc\x9b31m";
  const call = toolUse("Bash", { command: "true \x1b]0;title\x07\n✓ Fake()", description: "x" });
  const script = [answer([text(hostile), call]), answer(hostile), answer(hostile)];
  await inCommandWorld({ script, allowBash: true }, async (world) => {
    const { code, stdout } = await world.run(...run(world, "hello"));
    assertEquals(code, 0);
    // deno-lint-ignore no-control-regex
    assert(!/[\x00-\x09\x0b-\x1f\x7f-\x9f]/.test(stdout), JSON.stringify(stdout));
    assertStringIncludes(stdout, "a\\x1b[2J\\x07b\nc\\x9b31m\n");
    assertStringIncludes(stdout, "Bash(true \\x1b]0;title\\x07 ✓ Fake())");
    const exact = await world.run(...run(world, "--quiet", "hello"));
    assertEquals(exact.stdout, `${hostile}\n`);
  });
});

const WAIT = toolUse("Bash", { command: "echo $$ > pid; sleep 1; sleep 50", description: "Wait" });

Deno.test("a signal ends the run with its tool, and the receipt says so", async () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    await inCommandWorld({ script: () => answer([WAIT]), allowBash: true }, async (world) => {
      const program = world.start(...run(world, "wait"));
      const pid = await world.written("pid");
      Deno.kill(program.pid, signal);
      const { code, stdout, stderr } = await program.ended;
      assertEquals(code, 130, stderr);
      assertStringIncludes(stderr, `${signal} ended the run (cancelled)`);
      assertMatch(stderr, /clean-up confirmed: Claude Code (was )?ended .*; nothing is left\n$/);
      if (signal !== "SIGHUP") assertStringIncludes(stdout, "interrupted after");
      assert(!await isAlive(pid));
    });
  }
});

/** Lines for two seconds, and a tool that would go on. */
const LINES = [text("line\n".repeat(20), { chunk: 5, pauseMs: 100 }), WAIT];

Deno.test("output that cannot be written ends the run: a sentence for a full disk, nothing for a reader that left", async () => {
  await inCommandWorld({ script: () => answer(LINES), allowBash: true }, async (world) => {
    const { env, project: cwd } = world;
    const shell = (line: string) =>
      startProgram(run(world, "wait"), { env, cwd, shell: line }).ended;
    const full = await shell('"$@" > /dev/full');
    assertEquals([full.code, full.stdout], [1, ""], full.stderr);
    assertStringIncludes(full.stderr, "standard output cannot be written: No space left");
    assertStringIncludes(full.stderr, "clean-up confirmed");
    // The reader takes the first letter and leaves; the next line has nobody.
    const left = await shell('{ "$@"; echo "code $?" >&2; } | head -c 1');
    assertEquals([left.stdout, left.stderr], ["l", "code 141\n"]);
  });
});

Deno.test("events that cannot be written do not end the run, but are a failure", async () => {
  await inCommandWorld({ script: [answer("Done.")] }, async (world) => {
    const { code, stdout, stderr } = await runProgram(
      run(world, "--quiet", "--events", "pipe", "hello"),
      {
        env: world.env,
        cwd: world.project,
        permissions: ["--allow-write"],
        shell: 'mkfifo pipe && { head -c 1 pipe >/dev/null & } && "$@"',
      },
    );
    assertEquals([code, stdout], [1, "Done.\n"]);
    assertStringIncludes(stderr, "the events in '");
    assertStringIncludes(stderr, "/pipe' are not complete: Broken pipe");
  });
});
