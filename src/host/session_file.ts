/**
 * The files in which the CLI keeps its conversations.
 *
 * Measured: the conversation with an id is `projects/<directory>/<id>.jsonl` in the configuration folder, where
 * `<directory>` is the path with a hyphen for every character that is no letter or digit of ASCII, cut after 200 and with
 * a digest of the path behind that. A file without a message, as a full disk leaves it, is in the way for ever: the CLI
 * finds no conversation in it to resume, and begins none because the id is in use.
 *
 * @module
 */

const MAX_NAME_CHARS = 200;
/** A line with a message has this before what was said. */
const MESSAGE = /"type":"(?:user|assistant)"/;
const MAX_MATCH_CHARS = 18;

/** Where to look. */
export interface SessionPlace {
  /** The CLI's configuration folder. */
  readonly configDir: string;
  /** The directory of the session, a real path. */
  readonly cwd: string;
  /** The session. */
  readonly id: string;
}

/** The session's file; `null` when there is none. */
export async function findSessionFile(
  { configDir, cwd, id }: SessionPlace,
): Promise<string | null> {
  const name = cwd.replace(/[^a-zA-Z0-9]/g, "-");
  const isLong = name.length > MAX_NAME_CHARS;
  const start = `${name.slice(0, MAX_NAME_CHARS)}-`;
  const projects = `${configDir}/projects`;
  const folders = isLong
    ? (await namesIn(projects)).filter((folder) => folder.startsWith(start))
    : [name];
  for (const folder of folders) {
    const path = `${projects}/${folder}/${id}.jsonl`;
    if ((await Deno.stat(path).catch(() => null))?.isFile === true) return path;
  }
  return null;
}

/** Whether a session's file holds a message. */
export async function holdsMessage(path: string): Promise<boolean> {
  using file = await Deno.open(path, { read: true });
  let end = "";
  for await (const text of file.readable.pipeThrough(new TextDecoderStream())) {
    if (MESSAGE.test(end + text)) return true;
    end = (end + text).slice(-MAX_MATCH_CHARS);
  }
  return false;
}

/** Renames a session's file, so that a session can begin under its id; resolves to the new path. Nothing is removed. */
export async function putAside(path: string): Promise<string> {
  for (let n = 1;; n++) {
    const aside = `${path}.unusable-${n}`;
    if (await Deno.lstat(aside).catch(() => null) !== null) continue;
    await Deno.rename(path, aside);
    return aside;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return [];
    throw caught;
  }
}
