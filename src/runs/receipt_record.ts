/**
 * Everything a run's supervisor has reported, folded receipt by receipt. Pure.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import { visible, visibleSentence } from "../base/visible.ts";
import type { ExecutableCheck } from "../supervision/job.ts";
import type { Cleanup, Receipt, SpawnFault } from "../supervision/receipts.ts";
import type { Cause } from "./outcome.ts";

/** How a native process ended. */
export interface NativeExit {
  readonly code: number;
  readonly signal: string | null;
}

/** Nothing was started, so nothing can be left. */
export const NOTHING_STARTED: Cleanup = {
  confirmed: true,
  retired: 0,
  escalated: false,
  survivors: [],
};

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
  supervisor: {
    code: "startup_failed",
    advice:
      "the supervisor of the run ended before Claude Code was started; restart the adapter if its program or Deno was moved or replaced",
  },
  other: { code: "startup_failed", advice: "the system refused to start it" },
};

/** The state that a run's receipts leave behind. */
export class ReceiptRecord {
  readonly #executable: string;
  readonly #checks: readonly ExecutableCheck[];
  /** How the native process ended; `null` while nobody saw it end. */
  exit: NativeExit | null = null;
  /** What clean-up found; `null` while it is not known. */
  cleanup: Cleanup | null = null;
  /** What the executable says its version is. */
  version: string | null = null;
  /** The end of the native stderr. */
  stderrTail = "";

  /** Starts an empty record; the arguments are for messages. */
  constructor(executable: string, checks: readonly ExecutableCheck[]) {
    this.#executable = executable;
    this.#checks = checks;
  }

  /** Takes the next receipt; returns the fault it reports, or `null`. */
  receive(receipt: Receipt): Cause | null {
    switch (receipt.receipt) {
      case "version":
        this.version = visible(receipt.stdout.trim().split(/\s/)[0]?.slice(0, 64) ?? "") || null;
        return receipt.ok ? null : this.#wrongVersion(receipt.stdout, receipt.detail);
      case "spawn_failed": {
        const { code, advice } = SPAWN_FAULTS[receipt.fault] ?? SPAWN_FAULTS.other;
        return {
          code,
          message: `Cannot start '${this.#executable}': ${advice} (${receipt.detail})`,
        };
      }
      case "exit":
        this.exit = { code: receipt.code, signal: receipt.signal };
        return null;
      case "stderr_tail":
        this.stderrTail = receipt.text;
        return null;
      case "cleanup":
        this.cleanup = receipt.cleanup;
        return null;
      case "started":
      case "seen":
        return null;
    }
  }

  /** Takes what a later look found: the last look counts, and what was done before stays done. */
  lookedAgain(found: Cleanup): void {
    this.cleanup = {
      ...found,
      retired: found.retired + (this.cleanup?.retired ?? 0),
      escalated: found.escalated || (this.cleanup?.escalated ?? false),
    };
  }

  #wrongVersion(stdout: string, detail: string): Cause {
    const wanted = this.#checks.map((check) => check.stdout.trim()).join(", ");
    const version = SEMVER.exec(this.#checks[0]?.stdout ?? "")?.[0];
    const install = version === undefined
      ? "install that version"
      : `install that version (npm install --global ${NATIVE_PACKAGE}@${version})`;
    return {
      code: "incompatible_vendor",
      message:
        `'${this.#executable}' is not the version this adapter was made for: wanted '${wanted}', but ${
          whatItDid(stdout, detail)
        }; ${install}, or point --executable at it`,
    };
  }
}

/** The npm package of the CLI. */
const NATIVE_PACKAGE = "@anthropic-ai/claude-code";
const SEMVER = /^\d+\.\d+\.\d+/;
/** How a detail begins when the output is the only fault; what stderr said may follow. */
const DIFFERS = "its output differs";

/** Why a check failed. What was printed says nothing when the executable hung, crashed or flooded. */
function whatItDid(stdout: string, detail: string): string {
  if (detail !== "" && !detail.startsWith(DIFFERS)) return visibleSentence(detail);
  const got = stdout.trim();
  return got === ""
    ? visibleSentence(`it printed nothing${detail.slice(DIFFERS.length)}`)
    : `it says '${visibleSentence(cutText(got, 200))}'`;
}
