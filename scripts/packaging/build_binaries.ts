/**
 * The binaries of a version, with checksums and a record of what was made.
 *
 * @module
 */
import { PROGRAM_NAME, VERSION } from "../../src/base/version.ts";
import { compileTarget } from "./compile_target.ts";
import type { ProgramBundle } from "./program_bundle.ts";
import { startRatio } from "./start_ratio.ts";
import { binaryFile, isHere, type Target, TARGETS } from "./targets.ts";

/** In the format of `sha256sum -c` and `shasum -a 256 -c`. */
export const SUMS_FILE = "SHA256SUMS";
/** {@linkcode BinariesRecord} as JSON. */
export const RECORD_FILE = "binaries.json";

/** One binary. */
export interface BuiltBinary {
  readonly target: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** `--version` over an empty program of the same Deno; `null` where it cannot be run. */
  readonly start_ratio: number | null;
}

/** What was made, and what was not. */
export interface BinariesRecord {
  readonly format_version: 1;
  readonly version: string;
  readonly deno: string;
  /** The JavaScript in each binary. */
  readonly bundle: { readonly files: number; readonly bytes: number };
  readonly binaries: readonly BuiltBinary[];
  readonly not_built: readonly {
    readonly target: string;
    readonly kind: "no base" | "failed";
    readonly why: string;
  }[];
}

/** What to build. */
export interface BuildOptions {
  readonly targets: readonly Target[];
  readonly bundle: ProgramBundle;
  /** What earlier builds left there of these files is removed: nothing stays that is not in the record. */
  readonly folder: string;
  /** The base binary of a target; Deno downloads one where this gives none. */
  readonly base?: (target: Target) => string | undefined;
  /** Default: `deno compile`. */
  readonly compile?: typeof compileTarget;
  readonly say: (line: string) => void;
}

/** Builds them one after the other; a target that fails stops none of the others. */
export async function buildBinaries(options: BuildOptions): Promise<BinariesRecord> {
  const { targets, bundle, folder, base, compile = compileTarget, say } = options;
  await Deno.mkdir(folder, { recursive: true });
  for (const file of [...TARGETS.map(binaryFile), SUMS_FILE, RECORD_FILE]) {
    await Deno.remove(`${folder}/${file}`).catch(() => {});
  }
  const binaries: BuiltBinary[] = [];
  const notBuilt: BinariesRecord["not_built"][number][] = [];
  for (const target of targets) {
    const output = `${folder}/${binaryFile(target)}`;
    const made = await compile({ target, main: bundle.main, output, base: base?.(target) });
    const fault = made.kind === "built" && isHere(target) ? await faultOf(output) : null;
    if (made.kind === "built" && fault === null) {
      const binary = await recordOf(target, output);
      binaries.push(binary);
      say(`built ${binary.file} (${target.name}), ${(binary.bytes / 1e6).toFixed(1)} MB`);
      continue;
    }
    await Deno.remove(output).catch(() => {});
    const kind = made.kind === "no base" ? "no base" : "failed";
    const why = fault ?? (made.kind === "built" ? "" : made.why);
    notBuilt.push({ target: target.name, kind, why });
    say(`NOT BUILT: ${binaryFile(target)} (${target.name}): ${why}`);
  }
  const { files, bytes } = bundle;
  const record: BinariesRecord = {
    format_version: 1,
    version: VERSION,
    deno: Deno.version.deno,
    bundle: { files, bytes },
    binaries,
    not_built: notBuilt,
  };
  if (binaries.length > 0) {
    const sums = binaries.map(({ sha256, file }) => `${sha256}  ${file}\n`).join("");
    await Deno.writeTextFile(`${folder}/${SUMS_FILE}`, sums);
  }
  await Deno.writeTextFile(`${folder}/${RECORD_FILE}`, `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

/** Why a binary that was made is not this program; a base that is a whole Deno ignores what is in it. */
async function faultOf(path: string): Promise<string | null> {
  const expected = `${PROGRAM_NAME} ${VERSION}`;
  try {
    const { stdout } = await new Deno.Command(path, { args: ["--version"], stdin: "null" })
      .output();
    const said = new TextDecoder().decode(stdout).trim();
    if (said === expected) return null;
    return `it says '${said.split("\n")[0]}' to --version, not '${expected}': ` +
      "its base is no denort, or one of another version of Deno";
  } catch (caught) {
    return `it cannot be started: ${caught instanceof Error ? caught.message : String(caught)}`;
  }
}

async function recordOf(target: Target, path: string): Promise<BuiltBinary> {
  const content = await Deno.readFile(path);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return {
    target: target.name,
    file: binaryFile(target),
    bytes: content.length,
    sha256: digest.toHex(),
    start_ratio: isHere(target) ? await startRatio([path, "--version"]) : null,
  };
}
