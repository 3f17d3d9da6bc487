/**
 * Makes binaries in `dist/`, one for each target, with `SHA256SUMS` and `binaries.json`.
 *
 * `deno task compile [--target TARGET]… [--output FOLDER]`; all four targets unless some are named.
 *
 * `deno compile` needs Deno's base binary (denort) for each target. Deno downloads it, or takes `DENORT_BIN`, where
 * `{target}` stands for the target's name; without it the base fits one target, which then has to be named unless it is
 * this machine's. Exit codes: 0 all were made; 3 the base of a target could not be had, and everything else went well;
 * 1 anything else failed; 2 wrong usage.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { buildBinaries } from "./packaging/build_binaries.ts";
import { bundleProgram } from "./packaging/program_bundle.ts";
import { isHere, TARGETS } from "./packaging/targets.ts";

/** The exit code when only a base binary was missing. */
const NO_BASE_EXIT = 3;

const root = decodeURIComponent(new URL("..", import.meta.url).pathname);
const { target: named, output: folder } = readOptions();
const unknown = named.find((name) => !TARGETS.some((target) => target.name === name));
if (unknown !== undefined) {
  usage(
    `there is no target '${unknown}'; there are ${TARGETS.map(({ name }) => name).join(", ")}`,
  );
}
const base = Deno.env.get("DENORT_BIN") || undefined;
const basesDiffer = base === undefined || base.includes("{target}");
const targets = named.length > 0
  ? TARGETS.filter(({ name }) => named.includes(name))
  : TARGETS.filter((target) => basesDiffer || isHere(target));
if (!basesDiffer && targets.length !== 1) {
  usage("DENORT_BIN is the base of one target: name it with --target, or put {target} into it");
}

console.log("types …");
await orExit("check", "--quiet", "mod.ts", "src/cli/entry.ts");
console.log("bundle …");
const bundle = await bundleProgram({ folder: `${folder}/bundle` });
console.log(`${bundle.files} files, ${(bundle.bytes / 1024).toFixed(0)} KiB of JavaScript`);
const { binaries, not_built } = await buildBinaries({
  targets,
  bundle,
  folder,
  base: ({ name }) => base?.replaceAll("{target}", name),
  say: (line) => console.log(line),
});
for (const { file, start_ratio } of binaries) {
  if (start_ratio === null) continue;
  console.log(`${file}: --version takes ${start_ratio} times an empty Deno program`);
}
if (binaries.length > 0) console.log(`${folder}: ${binaries.length} binaries and SHA256SUMS`);
if (not_built.some(({ kind }) => kind === "failed")) Deno.exit(1);
if (not_built.length > 0) {
  const lines = [
    `NOT BUILT: ${not_built.length} of ${targets.length} binaries: Deno's base binary cannot be had.`,
    "Run this where Deno's downloads work, or set DENORT_BIN to a denort",
    `of Deno ${Deno.version.deno}; {target} in it stands for the target's name.`,
    "The types were checked, and the bundle was made and can be used.",
  ];
  const rule = "*".repeat(72);
  console.log([rule, ...lines.map((line) => `* ${line.padEnd(68)} *`), rule].join("\n"));
  Deno.exit(NO_BASE_EXIT);
}

function readOptions(): { readonly target: readonly string[]; readonly output: string } {
  try {
    const { values } = parseArgs({
      args: [...Deno.args],
      options: {
        target: { type: "string", multiple: true, default: [] },
        output: { type: "string", default: `${root}dist` },
      },
    });
    return values;
  } catch (caught) {
    return usage(caught instanceof Error ? caught.message : String(caught));
  }
}

function usage(message: string): never {
  console.error(`deno task compile: ${message}`);
  Deno.exit(2);
}

/** Runs Deno in the repository; what it says is shown. */
async function orExit(...args: readonly string[]): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn().status;
  if (!success) Deno.exit(1);
}
