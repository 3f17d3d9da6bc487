/**
 * Makes the pages for the pictures of `run`: the real CLI on a pseudo-terminal, with the scripted model.
 *
 *     deno run -A scripts/screenshots/run_pages.ts FOLDER
 *
 * Writes `run_live.html` (a tool runs) and `run_done.html` (the end) into the folder; a browser then takes pictures of
 * them. Needs python3.
 *
 * @module
 */
import { answer, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { programCommand } from "../../tests/helpers/program.ts";
import { Pty } from "../../tests/helpers/pty.ts";
import { inCommandWorld } from "../../tests/native/command_world.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";
import { terminalPage } from "./terminal_page.ts";

const SIZE = { columns: 110, rows: 18 };
const PROMPT = "Why does the test of the parser fail?";
const TITLE = "claude-code-adapter run";

const [folder] = Deno.args;
if (folder === undefined) throw new Error("name the folder that the pages go to");

const released = Promise.withResolvers<void>();
const bash = (command: string) => toolUse("Bash", { command, description: command });
const script = [
  answer([
    text("I run the test first, and look at the parser.\n"),
    bash("cat parser_test.txt"),
    bash("cat parser.txt"),
  ]),
  answer([
    text("The bound is checked before the newline is cut off. I check that with a longer input."),
    bash("sleep 2; cat longer.txt"),
  ]),
  answer([
    hold(released.promise),
    text(
      "The parser counts the newline as part of the line, so a line of exactly 1024 bytes\nis refused. Cutting it off first mends the test.",
    ),
  ]),
];

await inCommandWorld({ script, allowBash: true }, async (world) => {
  for (const name of ["parser_test", "parser"]) {
    await Deno.writeTextFile(`${world.project}/${name}.txt`, "text\n");
  }
  const { NO_COLOR: _, ...env } = world.env;
  const pty = new Pty({
    ...SIZE,
    env,
    cwd: world.project,
    command: programCommand(["run", "--executable", world.executable, PROMPT]),
  });
  await pty.shows("running Bash(sleep 2; cat longer.txt) for 1");
  await save("run_live", pty.output.slice(0, pty.output.lastIndexOf("\x1b[K\r") + 4));
  released.resolve();
  await save("run_done", (await pty.ended).output);
});

async function save(name: string, output: string): Promise<void> {
  const terminal = new VirtualTerminal(SIZE.columns, SIZE.rows);
  terminal.write(output);
  const page = terminalPage(terminal, { title: TITLE, command: `${TITLE} "${PROMPT}"` });
  await Deno.writeTextFile(`${folder}/${name}.html`, page);
}
