/**
 * The file that `--events` writes, line by line as the events come; `src/runs/event_lines.ts` says what is in it.
 *
 * @module
 */
import { AdapterError, messageOf } from "../../base/errors.ts";
import { encodeUtf8 } from "../../base/json.ts";
import { visible } from "../../base/visible.ts";
import { PEER_STALL_MS } from "../../base/limits.ts";
import { systemClock, within } from "../../host/clock.ts";
import { createOutput, type OutputPort } from "../../host/stdio.ts";

/** Bytes that wait for a slow disk or reader; past it the file ends, and says so. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

/** A file of events. */
export class EventFile {
  readonly #file: Deno.FsFile;
  readonly #output: OutputPort;
  readonly #path: string;
  readonly #isNew: boolean;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();
  #fault: string | null = null;

  /**
   * Opens it. A new file can be read and written by its owner only. One that exists is not touched, unless it is a pipe or
   * a device, such as what a shell makes of `>(program)`.
   *
   * Throws `AdapterError` `invalid_arguments`.
   */
  static async open(path: string): Promise<EventFile> {
    const name = visible(path);
    try {
      return new EventFile(await openFile(path));
    } catch (caught) {
      const why = caught instanceof Deno.errors.AlreadyExists
        ? "it exists already, and nothing is overwritten: name another file"
        : visible(messageOf(caught));
      throw new AdapterError("invalid_arguments", `--events cannot write '${name}': ${why}`);
    }
  }

  private constructor({ path, file, isNew }: Opened) {
    this.#path = path;
    this.#file = file;
    this.#isNew = isNew;
    this.#output = createOutput(file);
  }

  /** What went wrong, as a sentence, or `null`. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Adds a line, in order; returns at once. After a fault nothing more is added, so that no line is missing in between. */
  add(line: string): void {
    if (this.#fault !== null) return;
    const bytes = encodeUtf8(line);
    if (this.#waiting + bytes.length > MAX_WAITING_BYTES) {
      this.#fail("it takes no more");
      return;
    }
    this.#waiting += bytes.length;
    this.#last = this.#output.write(bytes).then(
      () => void (this.#waiting -= bytes.length),
      (caught) => this.#fail(messageOf(caught)),
    );
  }

  /** Waits, bounded, until everything is written. */
  async close(): Promise<void> {
    const written = await within(systemClock, PEER_STALL_MS, this.#last.then(() => true));
    if (written === null) this.#fail(`it took nothing for ${PEER_STALL_MS / 1000} s`);
    else this.#file.close();
  }

  /** Takes it back: a new file is removed. Never rejects. */
  async discard(): Promise<void> {
    this.#file.close();
    if (this.#isNew) await Deno.remove(this.#path).catch(() => {});
  }

  #fail(why: string): void {
    this.#fault ??= `the events in '${visible(this.#path)}' are not complete: ${visible(why)}`;
  }
}

interface Opened {
  readonly path: string;
  readonly file: Deno.FsFile;
  readonly isNew: boolean;
}

async function openFile(path: string): Promise<Opened> {
  try {
    const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
    return { path, file, isNew: true };
  } catch (caught) {
    if (!(caught instanceof Deno.errors.AlreadyExists)) throw caught;
    const { isFifo, isCharDevice } = await Deno.stat(path);
    if (isFifo !== true && isCharDevice !== true) throw caught;
    return { path, file: await Deno.open(path, { write: true }), isNew: false };
  }
}
