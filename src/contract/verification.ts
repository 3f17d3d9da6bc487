/**
 * What `verify` writes down about one executable, and what it says it for: the receipt that admits a CLI of another
 * version than the tree's own.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import { embeddedTree } from "./tree.ts";

/**
 * The number of the set of checks. It is part of what a receipt is about, so raising it makes every older receipt void;
 * a test holds the checks against it.
 */
export const VERIFY_SUITE = 1;

/** A file, as precisely as one can know it without reading all of it. */
export interface FileIdentity {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When its content was changed, milliseconds since the Unix epoch. */
  readonly mtime_ms: number;
  /** When its content or its entry was changed, milliseconds since the Unix epoch; see {@linkcode isSettled}. */
  readonly ctime_ms: number;
  readonly inode: number;
  readonly device: number;
}

/** The executable that was verified. */
export interface VerifiedExecutable extends FileIdentity {
  /** Of its content, 64 lower-case hexadecimal digits. */
  readonly sha256: string;
}

/** One check's outcome. */
export interface CheckedItem {
  readonly id: string;
  readonly passed: boolean;
}

/** A receipt. */
export interface Verification {
  readonly format_version: 1;
  /** See {@linkcode contractSha256}. */
  readonly contract_sha256: string;
  /** The version of this program that ran the checks. */
  readonly adapter_version: string;
  readonly executable: VerifiedExecutable;
  /** Everything that it prints for `--version`, without white space at the ends; empty when that is no version text. */
  readonly version_text: string;
  /** Each check once. */
  readonly checks: readonly CheckedItem[];
  /** Whether all of them passed. */
  readonly passed: boolean;
  /** When the checks were over and the file's content was last read, such as `2026-01-31T08:00:00.000Z`. */
  readonly at: string;
}

/** How long a file has to be left alone before its identity says what is in it. */
export const SETTLING_MS = 2_000;

/**
 * Whether an identity stands for content that was read, from the first byte on, not before `readAt`: whoever changes
 * the file later gives it another time of change.
 *
 * No file that was changed just now is settled. The time of change is known in whole seconds only (measured: Deno and its
 * node:fs give whole seconds where `stat` gives nanoseconds), and it is the one time that nobody can set back: two
 * changes within a second, with the size and the time of the content kept, look the same. Git has the same rule for its
 * index. A time of change in the future is not settled either.
 *
 * @param readAt Milliseconds since the Unix epoch.
 */
export function isSettled({ ctime_ms }: Pick<FileIdentity, "ctime_ms">, readAt: number): boolean {
  return ctime_ms + SETTLING_MS <= readAt;
}

/**
 * What a receipt is about, as text whose digest changes with every change of meaning: the embedded tree, its members
 * sorted, and the number of the set of checks.
 */
export function contractDocument(): string {
  return canonicalJson({
    tree: embeddedTree() as unknown as JsonValue,
    verify_suite: VERIFY_SUITE,
  });
}

/** The digest of {@linkcode contractDocument} by the given SHA-256 of UTF-8 text. */
export function contractSha256(sha256: (text: string) => string): string {
  return sha256(contractDocument());
}

/** Compact JSON with the members of every object sorted by name. */
function canonicalJson(value: JsonValue): string {
  return JSON.stringify(
    value,
    (_key, member: unknown) =>
      typeof member !== "object" || member === null || Array.isArray(member)
        ? member
        : Object.fromEntries(
          Object.entries(member).sort(([one], [other]) => one < other ? -1 : one > other ? 1 : 0),
        ),
  );
}
