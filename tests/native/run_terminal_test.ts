/** `run` on a pseudo-terminal: the real CLI and the scripted model. Needs python3. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { isAlive } from "../../scripts/support/left_behind.ts";
import { VirtualTerminal } from "../../scripts/support/virtual_terminal.ts";
import { answer, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { programCommand } from "../helpers/program.ts";
import { Pty } from "../helpers/pty.ts";
import { type CommandWorld, inCommandWorld } from "./command_world.ts";

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Starts `run` on a terminal; colours are on unless `env` says otherwise. */
function start(
  world: CommandWorld,
  args: readonly string[],
  options: Partial<Size> & { readonly env?: { readonly [name: string]: string } } = {},
): Pty {
  const { NO_COLOR: _, ...env } = world.env;
  return new Pty({
    ...options,
    command: programCommand(["run", "--executable", world.executable, ...args]),
    env: { ...env, ...options.env },
    cwd: world.project,
  });
}

/** What a terminal of this size shows in the end. The bytes have to be such as the terminal knows. */
function shown(output: string, { columns, rows }: Size = { columns: 80, rows: 24 }): string[] {
  const terminal = new VirtualTerminal(columns, rows);
  terminal.write(output);
  return terminal.lines();
}

const SGR = "\x1b[3";
const WAIT = toolUse("Bash", { command: "echo $$ > pid; sleep 1; sleep 50", description: "Wait" });
/** A tool that SIGTERM does not end: it and its children have to be killed. */
const STUBBORN = toolUse("Bash", {
  command: "trap '' TERM INT; echo $$ > pid; while :; do sleep 1; done",
  description: "Wait",
});

Deno.test("on a terminal the text streams with a status line below, which is gone at the end", async () => {
  const released = Promise.withResolvers<void>();
  const script = [
    answer([
      text("Let me look at 漢字.\n\x1b[2J\x1b]0;owned\x07"),
      toolUse("Bash", { command: "echo hi", description: "x" }),
    ]),
    answer([text("A first half "), hold(released.promise), text("and a second one.")]),
  ];
  await inCommandWorld({ script, allowBash: true }, async (world) => {
    const pty = start(world, ["look"], { columns: 60, rows: 10 });
    await pty.shows("A first half");
    await pty.shows((output) => / writing/.test(output.slice(output.indexOf("A first half"))));
    const terminal = new VirtualTerminal(60, 10);
    // Up to a whole frame.
    terminal.write(pty.output.slice(0, pty.output.lastIndexOf("\x1b8") + 2));
    assertStringIncludes(terminal.screen().at(-2)!, "A first half");
    assertMatch(terminal.screen().at(-1)!, /^\d+ s · 20 in, \d+ out · writing/);
    released.resolve();
    const { code, output } = await pty.ended;
    assertEquals(code, 0);
    assertStringIncludes(output, `${SGR}2m✓`);
    const lines = shown(output, { columns: 60, rows: 10 });
    assertEquals(lines[0], "Let me look at 漢字.");
    assertEquals(lines[1], "\\x1b[2J\\x1b]0;owned\\x07");
    assertMatch(lines[3]!, /^✓ Bash\(echo hi\) {2}\d+\.\d s$/);
    assertEquals(lines[5], "A first half and a second one.");
    assertMatch(lines[7]!, /^✓ done in .* session [0-9a-f-]{36}$/);
    assertEquals(lines.slice(8).join(""), "");
  });
  released.resolve();
});

Deno.test("NO_COLOR turns colours off, TERM=dumb everything but lines", async () => {
  const script = () => answer([text("Hello.")]);
  await inCommandWorld({ script }, async (world) => {
    const uncoloured = await start(world, ["x"], { env: { NO_COLOR: "1" } }).ended;
    assertEquals([uncoloured.code, uncoloured.output.includes(SGR)], [0, false]);
    assertStringIncludes(uncoloured.output, "\x1b[K");
    assertEquals(shown(uncoloured.output)[0], "Hello.");
    const empty = await start(world, ["x"], { env: { NO_COLOR: "" } }).ended;
    assertStringIncludes(empty.output, SGR, "an empty one does not count");
    const dumb = await start(world, ["x"], { env: { TERM: "dumb" } }).ended;
    assertEquals([dumb.code, dumb.output.includes("\x1b")], [0, false]);
    assertMatch(dumb.output, /^Hello\.\r\n\r\n✓ done [^\r]*\r\n$/);
    const quiet = await start(world, ["--quiet", "x"]).ended;
    assertEquals([quiet.code, quiet.output], [0, "Hello.\r\n"]);
  });
});

Deno.test("--quiet on a terminal shows an answer that cannot control it", async () => {
  await inCommandWorld({ script: [answer("a\x1b[2Jb")] }, async (world) => {
    const { output } = await start(world, ["--quiet", "x"]).ended;
    assertEquals(output, "a\\x1b[2Jb\r\n");
  });
});

Deno.test("Ctrl-C ends the run with its tool and shows the receipt", async () => {
  await inCommandWorld(
    { script: () => answer([text("Wait."), WAIT]), allowBash: true },
    async (world) => {
      const pty = start(world, ["wait"]);
      const pid = await world.written("pid");
      await pty.shows("running Bash");
      await pty.types("\x03");
      await pty.shows("Ctrl-C again kills");
      const { code, output } = await pty.ended;
      assertEquals(code, 130);
      const all = shown(output.replace("^C", "")).join("\n");
      assertMatch(
        all,
        /· SIGINT: ending the run; Ctrl-C again ends everything at once with SIGKILL\n/,
      );
      assertMatch(all, /Bash\(echo \$\$ > pid/);
      assertMatch(all, /… interrupted after /);
      assertMatch(all, /run: SIGINT ended the run \(cancelled\)\n/);
      assertMatch(
        all,
        /clean-up confirmed: Claude Code ended with exit code \d+[^\n]*\n?[^\n]*; nothing is left/,
      );
      assert(!await isAlive(pid));
    },
  );
});

Deno.test("Ctrl-C twice kills at once, and the receipt comes all the same", async () => {
  await inCommandWorld({ script: () => answer([STUBBORN]), allowBash: true }, async (world) => {
    const pty = start(world, ["wait"], { columns: 200 });
    const pid = await world.written("pid");
    await pty.types("\x03");
    await pty.shows("SIGINT: ending the run");
    await pty.types("\x03");
    const { code, output } = await pty.ended;
    assertEquals(code, 130);
    const all = shown(output.replaceAll("^C", ""), { columns: 200, rows: 24 }).join("\n");
    assertStringIncludes(all, "ending everything at once with SIGKILL\n");
    assertMatch(
      all,
      /clean-up confirmed: Claude Code was ended by SIGKILL.*\(SIGKILL was needed\); nothing is left/,
    );
    assert(!await isAlive(pid));
  });
});

Deno.test("a terminal that goes away ends the run, and nothing stays behind", async () => {
  await inCommandWorld(
    { script: () => answer([text("Wait."), WAIT]), allowBash: true },
    async (world) => {
      const pty = start(world, ["wait"]);
      const pid = await world.written("pid");
      await pty.hangUp();
      assertEquals((await pty.ended).code, 130);
      assert(!await isAlive(pid));
    },
  );
});

Deno.test("a terminal that is resized shows the text whole, and one status line that fits", async () => {
  const released = Promise.withResolvers<void>();
  const words = "The quick brown fox jumps over the lazy dog, and then it rests for a while.";
  const script = [answer([text(words), hold(released.promise), text(" The end.")])];
  await inCommandWorld({ script }, async (world) => {
    const pty = start(world, ["x"], { columns: 60, rows: 10, env: { NO_COLOR: "1" } });
    await pty.shows("a while.");
    await pty.shows((output) => output.slice(output.indexOf("a while.")).includes("\x1b8"));
    const before = pty.output.lastIndexOf("\x1b8") + 2;
    await pty.resize(30, 8);
    // No text comes meanwhile, and the status line alone is not erased: such a frame is the answer to the new size.
    await pty.shows((output) => {
      const erased = output.indexOf("\x1b[?2026h", before);
      return erased !== -1 && output.indexOf("\x1b8", erased) !== -1;
    });
    const after = pty.output.slice(before);
    released.resolve();
    const { code, output } = await pty.ended;
    assertEquals(code, 0);
    const terminal = new VirtualTerminal(60, 10);
    const whole = after.slice(0, after.lastIndexOf("\x1b8") + 2);
    terminal.write(output.slice(0, before));
    terminal.resize(30, 8);
    terminal.write(whole);
    const status = terminal.screen().filter((row) => /\d+ s · /.test(row));
    assertEquals(status.length, 1, JSON.stringify(terminal.screen()));
    assert(status[0]!.length < 30);
    terminal.write(output.slice(before + whole.length));
    assertEquals(terminal.lines()[0], `${words} The end.`);
    assertMatch(terminal.lines().slice(1).join("\n"), /^\n✓ done in [^\n]*\n*$/);
  });
  released.resolve();
});

Deno.test("a very narrow terminal and a very long answer lose nothing", async () => {
  const long = Array.from({ length: 2_000 }, (_, i) => `word${i} 漢字`).join(" ");
  await inCommandWorld({ script: () => answer([text(long, { chunk: 500 })]) }, async (world) => {
    for (
      const size of [{ columns: 7, rows: 5 }, { columns: 16, rows: 4 }, { columns: 80, rows: 1 }]
    ) {
      const { code, output } = await start(world, ["x"], { ...size, env: { NO_COLOR: "1" } }).ended;
      assertEquals(code, 0);
      assertEquals(shown(output, size)[0], long, `${size.columns} × ${size.rows}`);
    }
  });
});
