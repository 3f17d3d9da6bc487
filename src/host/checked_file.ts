/**
 * The file of an executable while it is checked.
 *
 * @module
 */
import { isSettled } from "../contract/verification.ts";
import type { Clock } from "../supervision/ports.ts";
import { fileFault } from "./file_fault.ts";
import { sha256File } from "./file_identity.ts";

/** One file, looked at before and between the checks. */
export class CheckedFile {
  readonly #path: string;
  readonly #clock: Pick<Clock, "now">;
  #before: Look | null = null;
  /** Of its content; `null` when its identity alone tells. */
  #digest: string | null = null;

  /** Nothing is looked at yet. */
  constructor(path: string, clock: Pick<Clock, "now">) {
    this.#path = path;
    this.#clock = clock;
  }

  /** Looks for the first time; resolves to why the file cannot be run, or `null`. Never rejects. */
  async open(): Promise<string | null> {
    const readAt = this.#clock.now();
    const look = lookAt(this.#path);
    if (typeof look === "string") return look;
    this.#before = look;
    if (isSettled(look, readAt)) return null;
    this.#digest = await digestOf(look.target);
    return this.#digest === null ? UNTELLABLE : null;
  }

  /**
   * Whether the path still leads to the same, unchanged file. While the file is not settled its content is read each
   * time (measured: 0.7 s for 400 MB), and then no more. Never rejects.
   */
  async isSame(): Promise<boolean> {
    const readAt = this.#clock.now();
    const look = lookAt(this.#path);
    if (typeof look === "string" || look.identity !== this.#before?.identity) return false;
    if (this.#digest === null) return true;
    if (await digestOf(look.target) !== this.#digest) return false;
    if (isSettled(look, readAt)) this.#digest = null;
    return true;
  }
}

const UNTELLABLE =
  "the executable was changed just now and cannot be read, so another change would not be noticed; " +
  "wait two seconds, or allow reading it";

interface Look {
  /** The real path. */
  readonly target: string;
  /** Everything that tells one file from another without reading it, as one text. */
  readonly identity: string;
  /** Milliseconds since the Unix epoch. */
  readonly ctime_ms: number;
}

/** What is there, or why it cannot be run. */
function lookAt(path: string): Look | string {
  try {
    const target = Deno.realPathSync(path);
    const info = Deno.statSync(target);
    if (!info.isFile) return "the executable is no file";
    if (((info.mode ?? 0) & 0o111) === 0) return "the executable's file is not executable";
    const { dev, ino, size, mode, uid, gid } = info;
    const [mtime, ctime_ms] = [info.mtime?.getTime(), info.ctime?.getTime() ?? 0];
    const identity = [target, dev, ino, size, mode, uid, gid, mtime, ctime_ms].join("\n");
    return { target, identity, ctime_ms };
  } catch (caught) {
    return `the executable ${fileFault(caught)}`;
  }
}

async function digestOf(path: string): Promise<string | null> {
  try {
    return await sha256File(path);
  } catch {
    return null;
  }
}
