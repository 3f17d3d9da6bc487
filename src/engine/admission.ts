/**
 * Which executables may be run: the tree's own version, one that `verify` has passed, or one the operator vouches for.
 *
 * @module
 */
import { toAdapterError } from "../base/errors.ts";
import type { AcceptedOutput, ExecutableCheck } from "../supervision/job.ts";
import type { Admission, Log } from "../supervision/ports.ts";

/** What admission is decided from. Nothing of a tool call is among it. */
export interface AdmissionSources {
  /** What the tree's own executable prints, each check with its exact output. */
  readonly expected: readonly { readonly args: readonly string[]; readonly stdout: string }[];
  /** The version text that the operator accepts without proof, or `null`. */
  readonly override: string | null;
  /** The version texts for which a passing receipt exists for this very file. May reject. */
  readonly verified: (executable: string) => Promise<readonly string[]>;
  readonly log: Log;
}

/** Makes the rule. Where receipts cannot be read, only the tree and the operator count. */
export function createAdmission(sources: AdmissionSources): Admission {
  const { expected, override, verified, log } = sources;
  return {
    async checks(executable): Promise<readonly ExecutableCheck[]> {
      const others: AcceptedOutput[] = [];
      try {
        for (const text of await verified(executable)) {
          others.push({ stdout: `${text}\n`, by: "receipt" });
        }
      } catch (caught) {
        const detail = toAdapterError(caught).message;
        log.write("warn", "receipts of verify could not be used", { executable, detail });
      }
      if (override !== null) others.push({ stdout: `${override}\n`, by: "override" });
      return expected.map(({ args, stdout }) => ({
        args,
        accepts: [{ stdout, by: "tree" as const }, ...(asksVersion(args) ? others : [])],
      }));
    },
  };
}

/** Receipts and overrides are about a version; what else a tree checks has to hold for every one. */
function asksVersion(args: readonly string[]): boolean {
  return args.length === 1 && args[0] === "--version";
}
