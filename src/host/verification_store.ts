/**
 * The receipts of `verify` on disk. Whoever can write them decides which programs are run, so nothing is believed that
 * anybody else could have written.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";
import type { Verification } from "../contract/verification.ts";
import { systemWords } from "./file_fault.ts";
import { ownUid } from "./own_uid.ts";
import { sha256 } from "./sha256.ts";

/** Receipts that are read, and kept. */
export const MAX_RECEIPTS = 64;
/** One receipt. */
export const MAX_RECEIPT_FILE_BYTES = 64 * 1024;

const NAME = /^verify-[0-9a-f]{32}\.json$/;
const WRITABLE_BY_OTHERS = 0o022;

/** A file or folder that is not believed. */
export interface IgnoredReceipt {
  readonly path: string;
  /** Completes "it is ignored, because …". */
  readonly reason: string;
}

/** Everything that was found. */
export interface StoredVerifications {
  readonly verifications: readonly Verification[];
  readonly ignored: readonly IgnoredReceipt[];
}

/** For tests. */
export interface StoreOptions {
  /**
   * The user that folder and files have to belong to.
   *
   * @default {the user of this process}
   */
  readonly uid?: number | null;
}

/**
 * Every receipt in `folder` that can be believed. A folder that does not exist has none. Anything that is a symbolic
 * link, belongs to another user, can be written by group or others, is unreadable, too large or malformed is ignored,
 * with the reason. Never throws. Needs --allow-read, and --allow-run to learn who this is.
 */
export async function readVerifications(
  folder: string,
  options: StoreOptions = {},
): Promise<StoredVerifications> {
  const verifications: Verification[] = [];
  const ignored: IgnoredReceipt[] = [];
  const ignore = (path: string, caught: unknown) =>
    ignored.push({ path, reason: systemWords(caught) });
  try {
    const found = await lookAt(folder);
    if (found === null) return { verifications, ignored };
    const uid = options.uid === undefined ? await ownUid() : options.uid;
    distrust(found, { kind: "folder", uid });
    const names = await receiptNames(folder);
    for (const [i, name] of names.entries()) {
      const path = `${folder}/${name}`;
      try {
        if (i >= MAX_RECEIPTS) throw new Error(`there are more than ${MAX_RECEIPTS} receipts`);
        const receipt = await readReceipt(path, uid);
        if (receipt !== null) verifications.push(receipt);
      } catch (caught) {
        ignore(path, caught);
      }
    }
  } catch (caught) {
    ignore(folder, caught);
  }
  return { verifications, ignored };
}

/**
 * Writes a receipt, whole or not at all; one for the same file and contract is replaced. The folder is made with mode
 * 0700, the file with 0600. Needs --allow-write.
 *
 * Throws `AdapterError` `invalid_configuration` when the folder cannot be used or believed.
 *
 * @returns The path of the receipt.
 */
export async function writeVerification(
  folder: string,
  verification: Verification,
  options: StoreOptions = {},
): Promise<string> {
  const { executable, contract_sha256 } = verification;
  const id = sha256(`${executable.path}\0${contract_sha256}`).slice(0, 32);
  const path = `${folder}/verify-${id}.json`;
  const staged = `${folder}/.verify-${id}-${crypto.randomUUID()}`;
  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const uid = options.uid === undefined ? await ownUid() : options.uid;
    distrust(await Deno.lstat(folder), { kind: "folder", uid });
    try {
      using file = await Deno.open(staged, { createNew: true, write: true, mode: 0o600 });
      const bytes = encodeUtf8(JSON.stringify(verification, null, 2) + "\n");
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      await file.sync();
      await Deno.rename(staged, path);
    } catch (caught) {
      await Deno.remove(staged).catch(() => {});
      throw caught;
    }
    await removeOldest(folder);
  } catch (caught) {
    throw new AdapterError(
      "invalid_configuration",
      `The receipt cannot be kept in '${folder}': ${systemWords(caught)}; ` +
        "correct that, or set XDG_STATE_HOME to a folder of your own",
    );
  }
  return path;
}

/** How often a name may come to mean another file, as it does when another `verify` ends, before it is not believed. */
const MAX_EXCHANGES = 5;

/** `null` when it is gone: another `verify` has made room. */
async function readReceipt(path: string, uid: number | null): Promise<Verification | null> {
  for (let exchanges = 0; exchanges < MAX_EXCHANGES; exchanges++) {
    const before = await lookAt(path);
    if (before === null) return null;
    distrust(before, { kind: "file", uid });
    using file = await orNull(Deno.open(path));
    if (file === null) return null;
    const info = await file.stat();
    // Between the two looks the name may have come to mean another file.
    if (info.ino === before.ino && info.dev === before.dev) return await receiptIn(file, uid);
  }
  throw new Error("it was exchanged again and again");
}

async function receiptIn(file: Deno.FsFile, uid: number | null): Promise<Verification> {
  distrust(await file.stat(), { kind: "file", uid });
  const bytes = new Uint8Array(MAX_RECEIPT_FILE_BYTES + 1);
  let length = 0;
  while (length < bytes.length) {
    const count = await file.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
  }
  if (length > MAX_RECEIPT_FILE_BYTES) {
    throw new Error(`it has more than ${MAX_RECEIPT_FILE_BYTES} bytes`);
  }
  // Loaded here: zod takes 20 ms (measured), and most machines have no receipt.
  const { parseVerification } = await import("../contract/parse_verification.ts");
  const verification = parseVerification(parseJson(bytes.subarray(0, length)));
  if (verification === null) throw new Error("it is not a receipt of this format");
  return verification;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("it is not JSON");
  }
}

/** Throws the reason why something is not believed. */
function distrust(
  info: Deno.FileInfo,
  { kind, uid }: { readonly kind: "file" | "folder"; readonly uid: number | null },
): void {
  if (info.isSymlink) throw new Error("it is a symbolic link");
  if (kind === "file" ? !info.isFile : !info.isDirectory) throw new Error(`it is not a ${kind}`);
  if (uid === null) throw new Error("this system does not say which user this program runs as");
  if (info.uid !== uid) throw new Error(`it belongs to user ${info.uid}, not to ${uid}`);
  if (((info.mode ?? WRITABLE_BY_OTHERS) & WRITABLE_BY_OTHERS) !== 0) {
    throw new Error("others can write to it");
  }
}

async function receiptNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(folder)) if (NAME.test(name)) names.push(name);
  return names.sort();
}

/** Receipts of files and contracts of long ago make room. */
async function removeOldest(folder: string): Promise<void> {
  const names = await receiptNames(folder);
  if (names.length <= MAX_RECEIPTS) return;
  const rows = await Promise.all(names.map(async (name) => {
    const info = await lookAt(`${folder}/${name}`);
    return { name, time: info?.mtime?.getTime() ?? 0 };
  }));
  rows.sort((one, other) => one.time - other.time);
  for (const { name } of rows.slice(0, rows.length - MAX_RECEIPTS)) {
    await orNull(Deno.remove(`${folder}/${name}`)); // another `verify` makes room as well
  }
}

function lookAt(path: string): Promise<Deno.FileInfo | null> {
  return orNull(Deno.lstat(path));
}

/** `null` when it does not exist. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return null;
    throw caught;
  }
}
