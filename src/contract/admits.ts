/**
 * Whether a receipt of `verify` speaks for a file.
 *
 * @module
 */
import { type FileIdentity, isSettled, type Verification } from "./verification.ts";

/** What a receipt says for a file: yes, only if its content has the receipt's digest too, or nothing. */
export type Admits = "yes" | "if_sha256" | "no";

/**
 * Judges one receipt. The digest of a file of 400 MB costs most of a second, so it is asked for only when the file was
 * touched, or had just been changed when its content was read, and can still be the same: a receipt is for one path, and
 * a file of another size is another file.
 *
 * @param contractSha256 The digest of this program's own contract.
 */
export function admits(
  { passed, contract_sha256, executable, at }: Verification,
  { file, contractSha256 }: { readonly file: FileIdentity; readonly contractSha256: string },
): Admits {
  if (!passed || contract_sha256 !== contractSha256) return "no";
  if (executable.path !== file.path || executable.size !== file.size) return "no";
  const isUntouched = executable.mtime_ms === file.mtime_ms &&
    executable.ctime_ms === file.ctime_ms && executable.inode === file.inode &&
    executable.device === file.device && isSettled(executable, Date.parse(at));
  return isUntouched ? "yes" : "if_sha256";
}
