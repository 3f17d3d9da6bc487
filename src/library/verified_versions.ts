/**
 * The versions of an executable that `verify` has passed on this machine.
 *
 * @module
 */
import { admits } from "../contract/admits.ts";
import { contractSha256, type FileIdentity, isSettled } from "../contract/verification.ts";
import { identify, sha256File } from "../host/file_identity.ts";
import { sha256 } from "../host/sha256.ts";
import { stateFolder } from "../host/state_folder.ts";
import { readVerifications, type StoredVerifications } from "../host/verification_store.ts";
import type { Log } from "../supervision/ports.ts";

/** Where receipts are looked for, and who is told of bad ones. */
export interface VerifiedVersionsOptions {
  readonly env: { readonly [name: string]: string };
  readonly log: Log;
  /**
   * Milliseconds since the epoch.
   *
   * @default {the system's}
   */
  readonly now?: () => number;
}

/**
 * Makes the question: which version texts have a passing receipt for exactly this file and this contract? Receipts are
 * read anew each time, so one that `verify` has just written counts without a restart. The digest of a file is computed
 * once for as long as the file is untouched, and again when it had just been changed at the time.
 */
export function verifiedVersions(
  { env, log, now = Date.now }: VerifiedVersionsOptions,
): (executable: string) => Promise<readonly string[]> {
  const folder = stateFolder(env, Deno.build.os);
  const digests = new Digests(now);
  const told = new Set<string>();
  let contract: string | undefined;

  const warn = ({ ignored }: StoredVerifications) => {
    for (const { path, reason } of ignored) {
      if (told.has(`${path}: ${reason}`) || told.size >= MAX_TOLD) continue;
      told.add(`${path}: ${reason}`);
      log.write("warn", "a receipt of verify is ignored", { path, reason });
    }
  };
  return async (executable) => {
    if (folder === null) return [];
    const stored = await readVerifications(folder);
    warn(stored);
    if (stored.verifications.length === 0) return [];
    contract ??= contractSha256(sha256);
    const file = await identify(executable);
    const texts = new Set<string>();
    for (const verification of stored.verifications) {
      const answer = admits(verification, { file, contractSha256: contract });
      if (answer === "no") continue;
      const isThisFile = answer === "yes" ||
        await digests.of(file) === verification.executable.sha256;
      if (isThisFile) texts.add(verification.version_text);
    }
    return [...texts].slice(0, MAX_TEXTS);
  };
}

/** Ignored files that are logged. */
const MAX_TOLD = 64;
/** One file has one version; two contracts' worth of receipts can speak for it. */
const MAX_TEXTS = 4;

/** The digest of the last state of each file. */
class Digests {
  readonly #known = new Map<string, { readonly state: string; readonly digest: Promise<string> }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  of(file: FileIdentity): Promise<string> {
    const state = JSON.stringify(file);
    const known = this.#known.get(file.path);
    if (known?.state === state) return known.digest;
    const readAt = this.#now();
    const digest = sha256File(file.path);
    this.#known.delete(file.path);
    if (!isSettled(file, readAt)) return digest;
    this.#known.set(file.path, { state, digest });
    // A failure is not remembered: the next run may be allowed to read the file.
    digest.catch(() => this.#known.delete(file.path));
    return digest;
  }
}
