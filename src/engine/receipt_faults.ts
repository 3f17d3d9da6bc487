/**
 * What a receipt means for a run when it reports that something could not be started.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import type { Cause } from "../runs/outcome.ts";
import type { ExecutableCheck } from "../supervision/job.ts";
import type { Receipt, SpawnFault } from "../supervision/receipts.ts";

const SPAWN_FAULTS: Readonly<Record<SpawnFault, { code: Cause["code"]; advice: string }>> = {
  not_found: {
    code: "dependency_unavailable",
    advice: "the executable, or the program its first line names, does not exist",
  },
  not_executable: {
    code: "dependency_unavailable",
    advice: "it may not be executed here: check its permissions and that it fits this machine",
  },
  too_large: {
    code: "startup_failed",
    advice: "arguments and environment together are too large for this system",
  },
  other: { code: "startup_failed", advice: "the system refused to start it" },
};

/** The fault that a receipt reports, or `null`. */
export function faultOf(
  receipt: Receipt,
  executable: string,
  checks: readonly ExecutableCheck[],
): Cause | null {
  if (receipt.receipt === "spawn_failed") {
    const { code, advice } = SPAWN_FAULTS[receipt.fault] ?? SPAWN_FAULTS.other;
    return { code, message: `Cannot start '${executable}': ${advice} (${receipt.detail})` };
  }
  if (receipt.receipt === "version" && !receipt.ok) {
    const wanted = checks.map((check) => check.stdout.trim()).join(", ");
    const got = receipt.stdout.trim();
    const found = got === "" ? receipt.detail : `it says '${cutText(got, 200)}'`;
    return {
      code: "incompatible_vendor",
      message:
        `'${executable}' is not the version this adapter was made for: wanted '${wanted}', but ${found}; install that version, or point --executable at it`,
    };
  }
  return null;
}
