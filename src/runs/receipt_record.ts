/**
 * Everything a run's supervisor has reported, folded receipt by receipt. Pure.
 *
 * @module
 */
import { cutText } from "../base/json.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { visible, visibleSentence } from "../base/visible.ts";
import type { AdmittedBy, ExecutableCheck } from "../supervision/job.ts";
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
  #checks: readonly ExecutableCheck[] = [];
  /** How the native process ended; `null` while nobody saw it end. */
  exit: NativeExit | null = null;
  /** What clean-up found; `null` while it is not known. */
  cleanup: Cleanup | null = null;
  /** What the executable says its version is. */
  version: string | null = null;
  /** Why the executable was run; `null` when it was not. */
  admittedBy: AdmittedBy | null = null;
  /** The end of the native stderr. */
  stderrTail = "";

  /** Starts an empty record; the executable is for messages. */
  constructor(executable: string) {
    this.#executable = executable;
  }

  /** Says which checks the executable has to pass; for messages. */
  expect(checks: readonly ExecutableCheck[]): void {
    this.#checks = checks;
  }

  /** Takes the next receipt; returns the fault it reports, or `null`. */
  receive(receipt: Receipt): Cause | null {
    switch (receipt.receipt) {
      case "version":
        this.version = visible(receipt.stdout.trim().split(/\s/)[0]?.slice(0, 64) ?? "") || null;
        this.admittedBy = receipt.by ?? null;
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
      case "accepted":
      case "started":
      case "seen":
      case "stderr":
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
    const accepted = this.#checks.flatMap((check) => check.accepts);
    const wanted = accepted.map((one) => `'${visibleSentence(one.stdout.trim())}'`).join(" or ");
    const pinned = accepted.find((one) => one.by === "tree")?.stdout ?? "";
    const version = SEMVER.exec(pinned)?.[0];
    const install = version === undefined
      ? "install that version"
      : `install that version (npm install --global ${NATIVE_PACKAGE}@${version})`;
    const path = shellQuoted(this.#executable);
    return {
      code: "incompatible_vendor",
      message:
        `'${this.#executable}' is not the version this adapter was made for: wanted ${wanted}, but ${
          whatItDid(stdout, detail)
        }; prove that this one can be used with '${PROGRAM_NAME} verify --executable ${path}' (no account needed), or ${install}, or point --executable at it`,
    };
  }
}

/** The npm package of the CLI. */
const NATIVE_PACKAGE = "@anthropic-ai/claude-code";
const SEMVER = /^\d+\.\d+\.\d+/;

/** A path as a person can paste it into a shell. */
function shellQuoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `"${path.replace(/["\\$`]/g, "\\$&")}"`;
}
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
