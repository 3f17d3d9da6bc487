/** How long a program waits for the library, and a person for `print`, over an empty Deno program. */

import { bundleProgram } from "../../packaging/program_bundle.ts";
import { adapterEnv, makePlace } from "../../support/place.ts";
import { ROUNDS, type Size } from "../case.ts";
import { figure, type Finding } from "../finding.ts";
import { byTurns } from "../measure.ts";
import { adapterFrom, denoRun, programFile, toFirstLine } from "../programs.ts";
import { answerer } from "../stand_ins.ts";

/** From the spawn to the first line in every case. */
export async function starts(size: Size): Promise<readonly Finding[]> {
  await using place = await makePlace({ prefix: "adapter-bench-" });
  const options = {
    cwd: place.project,
    env: await adapterEnv({ place, url: "http://127.0.0.1:9" }),
  };
  const executable = `${place.root}/claude`;
  await Deno.writeTextFile(executable, answerer(), { mode: 0o755 });
  const { main: bundled } = await bundleProgram({ folder: `${place.root}/bundle` });
  const first = (command: readonly string[]) => async () => ({
    ms: await toFirstLine(command, options),
  });
  const print = [
    "print",
    `--executable=${executable}`,
    "--permission-mode=dontAsk",
    "go",
  ];
  const rounds = await byTurns(ROUNDS[size], {
    empty: first(denoRun(programFile("programs/empty.ts"), ["--no-config"])),
    library: first(denoRun(programFile("programs/import_mod.ts"))),
    version: first([...adapterFrom(programFile("../../mod.ts")), "--version"]),
    print: first([...adapterFrom(programFile("../../mod.ts")), ...print]),
    bundled: first([...adapterFrom(bundled), ...print]),
  });
  const base = { what: "an empty Deno program", figure: figure("ms", rounds.of("empty")) };
  const row = (who: "library" | "version" | "print" | "bundled", what: string): Finding => ({
    what,
    figure: figure("ms", rounds.of(who)),
    base,
    comparison: figure("x", rounds.ratio(who, "empty")),
  });
  return [
    row("library", "a program that imports mod.ts"),
    row("version", "--version"),
    row("print", "print with a stand-in that answers at once"),
    row("bundled", "the same from a bundle"),
  ];
}
