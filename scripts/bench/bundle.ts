/** The program as one file, as `deno bundle` makes it. */

import { programFile } from "./programs.ts";

/**
 * Bundles the program into a folder, with the entry of the supervisor beside it.
 *
 * @returns The main file.
 */
export async function bundle(folder: string): Promise<string> {
  const main = `${folder}/mod.js`;
  await bundleOne("../../mod.ts", main);
  await bundleOne("../../src/host/supervise_entry.ts", `${folder}/supervise_entry.ts`);
  return main;
}

async function bundleOne(entry: string, output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform=deno", "--minify", "-o", output, programFile(entry)],
    cwd: programFile("../.."),
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(`deno bundle of ${entry}: ${new TextDecoder().decode(stderr)}`);
}
