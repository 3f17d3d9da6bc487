/**
 * A lock between processes that the system itself gives back when its holder dies, with a little text kept in it and a
 * note of who holds it.
 *
 * An advisory lock of the kernel needs no judgement whether a holder still lives, so no stale one has to be broken.
 * Deno's `lock()` waits in the kernel and cannot be called off: it goes on after the file was closed and keeps the
 * program alive (measured). So somebody who waits tries, and tries again when the system says that somebody who wrote to
 * the file has closed it, which a death does too (measured: 1 ms after it). Who waits keeps the file open meanwhile,
 * so that waiting wakes nobody else.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";
import { encodeUtf8 } from "../base/json.ts";
import type { Clock } from "../supervision/ports.ts";
import { pause, whenAborted } from "./clock.ts";

/** The first look again where the system does not say when; each later one takes twice as long, up to the last. */
const FIRST_RETRY_MS = 25;
const LAST_RETRY_MS = 1_000;
/** The note is the first line, filled up with spaces, so that one write replaces it and nothing else. */
const NOTE_BYTES = 160;
/** What is kept in a lock. */
const MAX_TEXT_BYTES = 64 * 1024;

/** A lock that is held. */
export interface FileLock {
  /** What the last holder left in it; empty at first. */
  readonly text: string;
  /** The note of a last holder that was killed; empty when the last one has given the lock back. */
  readonly orphan: string;
  /** Replaces what is kept in it, one line. */
  keep(text: string): Promise<void>;
  /** Removes the file, and with it what is kept. Still to be released. */
  remove(): Promise<void>;
  /** Gives the lock back. Never rejects. */
  release(): Promise<void>;
}

/** Whether to wait, and until when. */
export interface LockOptions {
  readonly clock: Clock;
  /** Wait for the holder, else give up at once. */
  readonly wait: boolean;
  /** Ends the wait; resolves to `null` then. */
  readonly signal?: AbortSignal;
  /**
   * Who holds it, for others to read while it is held: one line of at most 159 bytes.
   *
   * @default {""}
   */
  readonly note?: string;
}

/** Takes the lock at `path`, making folders and file; `null` when somebody else has it. Needs --allow-write. */
export async function takeLock(path: string, options: LockOptions): Promise<FileLock | null> {
  const { wait, signal } = options;
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true, mode: 0o700 });
  for (;;) {
    await checkPlain(path);
    const file = await Deno.open(path, { create: true, read: true, write: true, mode: 0o600 });
    let lock: FileLock | null = null;
    try {
      if (await file.tryLock(true) || (wait && await waitFor(file, path, options))) {
        if (await isAt(file, path)) return lock = await held(file, path, options.note ?? "");
      } else if (!wait || signal?.aborted === true) return null;
    } finally {
      if (lock === null) file.close();
    }
  }
}

/** A lock that others have made, held. */
export type ExistingLock = Pick<FileLock, "orphan" | "release">;

/** How to take a lock that others have made. */
export interface ExistingLockOptions {
  /** As in {@linkcode LockOptions}. */
  readonly note: string;
  /** Whether the file may be written to; where it may not, the note stays as it is. */
  readonly mayWrite: boolean;
}

/**
 * Takes the lock at `path` where there is one already, without waiting: `null` when somebody else has it, `"none"` when
 * there is no such file. Needs --allow-write only for `mayWrite`.
 */
export async function takeExistingLock(
  path: string,
  { note, mayWrite }: ExistingLockOptions,
): Promise<ExistingLock | "none" | null> {
  for (;;) {
    await checkPlain(path);
    const file = await openExisting(path, mayWrite);
    if (file === null) return "none";
    let lock: ExistingLock | null = null;
    try {
      if (!await file.tryLock(true)) return null;
      if (!await isAt(file, path)) continue;
      return lock = mayWrite ? await held(file, path, note) : await heldAsItIs(file);
    } finally {
      if (lock === null) file.close();
    }
  }
}

/** What the holder of the lock at `path` says of itself; empty when there is none or it says nothing. */
export async function readLockNote(path: string): Promise<string> {
  try {
    await checkPlain(path);
    using file = await Deno.open(path, { read: true });
    return (await readParts(file)).note;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return "";
    throw caught;
  }
}

/** What is kept in the lock at `path`; `null` when there is no such file. */
export async function readLockText(path: string): Promise<string | null> {
  try {
    await checkPlain(path);
    using file = await Deno.open(path, { read: true });
    return (await readParts(file)).text;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return null;
    throw caught;
  }
}

/** Opening a pipe would wait for ever, and a link leads to somebody else's file. */
async function checkPlain(path: string): Promise<void> {
  const found = await Deno.lstat(path).catch(() => null);
  if (found === null || found.isFile) return;
  throw new AdapterError(
    "invalid_configuration",
    `'${path}' has to be a plain file, and is something else; remove it`,
  );
}

/** Waits until the lock is this file's, or until it has to be opened again or given up. */
async function waitFor(
  file: Deno.FsFile,
  path: string,
  { clock, signal }: LockOptions,
): Promise<boolean> {
  const aborted = whenAborted(signal) ?? new Promise<void>(() => {});
  using changes = watch(path);
  for (let ms = FIRST_RETRY_MS; signal?.aborted !== true; ms = Math.min(2 * ms, LAST_RETRY_MS)) {
    // Tried after the watch began: what was given back before is not told.
    if (await file.tryLock(true)) return true;
    if (!await isAt(file, path)) return false;
    await pause(clock, ms, Promise.race([aborted, changes.next()]));
  }
  return false;
}

/** Tells when somebody closed the file; never where the system has no means left to tell. */
function watch(path: string): { next(): Promise<unknown> } & Disposable {
  let watcher: Deno.FsWatcher;
  try {
    watcher = Deno.watchFs(path);
  } catch {
    return { next: () => new Promise(() => {}), [Symbol.dispose]: () => {} };
  }
  const events = watcher[Symbol.asyncIterator]();
  let pending: Promise<void> | null = null;
  const next = async () => {
    const { done } = await events.next();
    if (done === true) await new Promise(() => {}); // it tells nothing any more
    pending = null;
  };
  return { next: () => pending ??= next(), [Symbol.dispose]: () => watcher.close() };
}

/** Whether the open file is still the one of this name: its last holder may have removed it. */
async function isAt(file: Deno.FsFile, path: string): Promise<boolean> {
  try {
    const [mine, its] = [await file.stat(), await Deno.stat(path)];
    return mine.ino === its.ino && mine.dev === its.dev;
  } catch {
    return false;
  }
}

async function held(file: Deno.FsFile, path: string, note: string): Promise<FileLock> {
  const before = await readParts(file);
  await writeAt(file, 0, noteLine(note));
  return {
    text: before.text,
    orphan: before.note,
    async keep(text) {
      // Only its first line is read, so that a death in between leaves the one text or the other.
      const line = encodeUtf8(`${text.replaceAll("\n", " ")}\n`);
      await writeAt(file, NOTE_BYTES, line);
      await file.truncate(NOTE_BYTES + line.length);
    },
    remove: () => Deno.remove(path),
    async release() {
      // A note that cannot be taken back is an orphan to the next holder, which does no harm.
      await writeAt(file, 0, noteLine("")).catch(() => {});
      file.close();
    },
  };
}

/** The system locks a file that is open for reading too (measured on Linux). */
async function heldAsItIs(file: Deno.FsFile): Promise<ExistingLock> {
  const { note: orphan } = await readParts(file);
  return { orphan, release: () => Promise.resolve(file.close()) };
}

async function openExisting(path: string, write: boolean): Promise<Deno.FsFile | null> {
  try {
    return await Deno.open(path, { read: true, write });
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return null;
    throw caught;
  }
}

async function readParts(
  file: Deno.FsFile,
): Promise<{ readonly note: string; readonly text: string }> {
  const bytes = new Uint8Array(NOTE_BYTES + MAX_TEXT_BYTES);
  await file.seek(0, Deno.SeekMode.Start);
  const count = await file.read(bytes) ?? 0;
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  return {
    note: decode(bytes.subarray(0, Math.min(count, NOTE_BYTES))).trim(),
    text: decode(bytes.subarray(NOTE_BYTES, Math.max(count, NOTE_BYTES))).split("\n", 1)[0]!,
  };
}

function noteLine(note: string): Uint8Array {
  const line = new Uint8Array(NOTE_BYTES).fill(0x20);
  line[NOTE_BYTES - 1] = 0x0a;
  const bytes = encodeUtf8(note);
  if (bytes.length < NOTE_BYTES) line.set(bytes);
  return line;
}

async function writeAt(file: Deno.FsFile, offset: number, data: Uint8Array): Promise<void> {
  await file.seek(offset, Deno.SeekMode.Start);
  for (let at = 0; at < data.length;) at += await file.write(data.subarray(at));
}
