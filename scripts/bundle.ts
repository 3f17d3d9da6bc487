/**
 * Bundles the program into `dist/bundle`: JavaScript files that load what a command needs, and the launcher
 * `claude-code-adapter`, which needs Deno on PATH and nothing else.
 *
 * `deno task bundle [--output FOLDER] [--no-minify] [--deno PATH]`; with `--deno`, the launcher starts that one.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { PROGRAM_NAME, VERSION } from "../src/base/version.ts";
import { bundleProgram } from "./packaging/program_bundle.ts";

const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    output: { type: "string" },
    minify: { type: "boolean", default: true },
    deno: { type: "string", default: "deno" },
  },
  allowNegative: true,
});
const { minify, deno } = values;
const folder = values.output ??
  decodeURIComponent(new URL("../dist/bundle", import.meta.url).pathname);
const { launcher, files, bytes } = await bundleProgram({ folder, minify, deno });
console.log(`${launcher}\n${files} files, ${(bytes / 1024).toFixed(0)} KiB of JavaScript`);

const { success, stdout, stderr } = await new Deno.Command(launcher, {
  args: ["--version"],
  stdin: "null",
}).output();
const said = new TextDecoder().decode(stdout).trim();
if (!success || said !== `${PROGRAM_NAME} ${VERSION}`) {
  console.error(
    `The launcher does not answer --version: ${said}${new TextDecoder().decode(stderr)}`,
  );
  Deno.exit(1);
}
