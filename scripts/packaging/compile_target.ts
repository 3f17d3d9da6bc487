/**
 * One binary by `deno compile`, out of the bundle's files.
 *
 * @module
 */
import { V8_FLAGS } from "../../src/cli/hosts/launch.ts";
import { PROGRAM_PERMISSIONS } from "../../src/cli/spare_permissions.ts";
import type { Target } from "./targets.ts";

/** What became of a target. */
export type Compiled =
  | { readonly kind: "built" }
  /** There is no base binary for it: nothing is wrong with the program. */
  | { readonly kind: "no base"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/** What to compile. */
export interface CompileOptions {
  readonly target: Target;
  /** The bundle's main file. */
  readonly main: string;
  /** The binary to write. */
  readonly output: string;
  /** A base binary that is there (`DENORT_BIN`); Deno downloads one otherwise. */
  readonly base?: string | undefined;
}

/** Compiles one target. The permissions of the program are baked in; it asks for no other. */
export async function compileTarget(options: CompileOptions): Promise<Compiled> {
  const { target, main, output, base } = options;
  const { DENORT_BIN: _, ...env } = Deno.env.toObject(); // an empty one is no wish to Deno, but a fault
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      // It was checked before, and the bundle has everything in it.
      "--no-check",
      "--no-config",
      "--no-lock",
      "--no-npm",
      "--no-prompt",
      V8_FLAGS,
      ...PROGRAM_PERMISSIONS,
      `--target=${target.name}`,
      "--output",
      output,
      main,
    ],
    clearEnv: true,
    env: { ...env, NO_COLOR: "1", ...(base !== undefined && { DENORT_BIN: base }) },
    stdin: "null",
    stdout: "null",
  }).output();
  if (success) return { kind: "built" };
  const said = new TextDecoder().decode(stderr);
  return { kind: base === undefined && lacksBase(said) ? "no base" : "failed", why: causeOf(said) };
}

/** Whether `deno compile` could not get its base binary. Measured on Deno 2.9.6. */
export function lacksBase(said: string): boolean {
  return said.includes("Setting up base binary");
}

/** What was wrong, in one line: of a list of causes the first two, else the last line. */
function causeOf(said: string): string {
  const causes = [...said.matchAll(/^\s+\d+: (\S.*)$/gm)].slice(0, 2).map(([, cause]) => cause);
  return causes.length > 0 ? causes.join(" ") : said.trim().split("\n").at(-1)!;
}
