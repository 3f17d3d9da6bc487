/** The program as a few files, as `deno bundle` makes them. */

import { programFile } from "./programs.ts";

/**
 * Bundles the program into a folder, with the entry of the supervisor beside it. What is loaded later stays in files of
 * its own: in one file everything that a part needs of Node.js would be loaded at the start (measured: `--version` takes
 * three times as long then).
 *
 * @returns The main file.
 */
export async function bundle(folder: string): Promise<string> {
  const main = `${folder}/mod.js`;
  await bundleOne("../../mod.ts", ["--code-splitting", "--outdir", folder]);
  const supervisor = ["-o", `${folder}/supervise_entry.ts`];
  await bundleOne("../../src/host/supervise_entry.ts", supervisor);
  return main;
}

async function bundleOne(entry: string, output: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=deno", "--minify", ...output, programFile(entry)],
    cwd: programFile("../.."),
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(`deno bundle of ${entry}: ${new TextDecoder().decode(stderr)}`);
}
