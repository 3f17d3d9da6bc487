/**
 * Reads receipts of `verify`. Apart from what they are, since nothing else here needs zod: most machines have no receipt.
 *
 * @module
 */
import { z } from "zod";
import type { Verification } from "./verification.ts";

/** Checks in a receipt. */
export const MAX_CHECKS = 512;
/** Characters of a path. */
const MAX_PATH = 4_096;
/** Characters of what `--version` prints. */
const MAX_VERSION_TEXT = 1_024;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);
const moment = z.number().min(0);

const VERIFICATION = z.strictObject({
  format_version: z.literal(1),
  contract_sha256: digest,
  adapter_version: z.string().min(1).max(64),
  executable: z.strictObject({
    path: z.string().max(MAX_PATH).startsWith("/"),
    sha256: digest,
    size: count,
    mtime_ms: moment,
    ctime_ms: moment,
    // Some file systems have numbers of 64 bits, which are no safe integers any more.
    inode: moment,
    device: moment,
  }),
  version_text: z.string().max(MAX_VERSION_TEXT).refine((text) => text.trim() === text),
  checks: z.array(z.strictObject({ id: z.string().min(1).max(128), passed: z.boolean() }))
    .min(1).max(MAX_CHECKS)
    .refine((checks) => new Set(checks.map(({ id }) => id)).size === checks.length),
  passed: z.boolean(),
  at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
})
  .refine(({ checks, passed }) => passed === checks.every((check) => check.passed))
  .refine(({ passed, version_text }) => !passed || version_text !== "");

/** Reads a receipt strictly: an unknown or missing member, or one that contradicts another, makes it `null`. */
export function parseVerification(value: unknown): Verification | null {
  const { data } = VERIFICATION.safeParse(value);
  return data ?? null;
}
