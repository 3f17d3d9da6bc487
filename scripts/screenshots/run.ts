/**
 * Takes the pictures of `run` for the documents: `deno run -A scripts/screenshots/run.ts` starts the real CLI on a
 * pseudo-terminal, with the scripted model, and writes `docs/images/run_live.png` (a tool runs) and
 * `docs/images/run_done.png` (the end). Needs python3.
 *
 * @module
 */
import { answer, hold, text, toolUse } from "../../src/loopback/mod.ts";
import { programCommand } from "../../tests/helpers/program.ts";
import { Pty } from "../../tests/helpers/pty.ts";
import { inCommandWorld } from "../../tests/native/command_world.ts";
import { VirtualTerminal } from "../support/virtual_terminal.ts";
import { pictureOf } from "./picture.ts";
import { terminalPage } from "./terminal_page.ts";

const SIZE = { columns: 110, rows: 18 };
const PROMPT = "Why does the test of the parser fail?";
const TITLE = "claude-code-adapter run";

const FOLDER = new URL("../../docs/images/", import.meta.url);

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
  for (const name of ["parser_test", "parser", "longer"]) {
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
  await save("run_live", 290, pty.output.slice(0, pty.output.lastIndexOf("\x1b[K\r") + 4));
  released.resolve();
  await save("run_done", 400, (await pty.ended).output);
});

async function save(name: string, height: number, output: string): Promise<void> {
  const terminal = new VirtualTerminal(SIZE.columns, SIZE.rows);
  terminal.write(output);
  const page = terminalPage(terminal, { title: TITLE, command: `${TITLE} "${PROMPT}"` });
  const picture = await pictureOf(page, { width: 1077, height });
  await Deno.mkdir(FOLDER, { recursive: true });
  await Deno.writeFile(new URL(`${name}.png`, FOLDER), picture);
  // deno-lint-ignore no-console -- a program for people
  console.log(`docs/images/${name}.png: ${picture.length} bytes`);
}
