/**
 * A temporary folder and the little that is done in it.
 *
 * @module
 */

/** A new, private folder below the system's place for temporary files; its real path. Needs --allow-write. */
export async function makeScratchFolder(prefix: string): Promise<string> {
  return await Deno.realPath(await Deno.makeTempDir({ prefix }));
}

/** Makes a folder and those above it. */
export async function makeFolder(path: string): Promise<void> {
  await Deno.mkdir(path, { recursive: true, mode: 0o700 });
}

/** Writes a file. */
export async function writeText(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text);
}

/** Writes a new file that only this user can read. */
export async function writeSecret(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
}

/** The text of a file, or `null` when there is none. */
export async function readText(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path);
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return null;
    throw caught;
  }
}

/** Whether one of the folders directly below `path` has a file of this name. */
export async function hasFileBelow(path: string, name: string): Promise<boolean> {
  try {
    for await (const entry of Deno.readDir(path)) {
      const found = await Deno.stat(`${path}/${entry.name}/${name}`).catch(() => null);
      if (found?.isFile === true) return true;
    }
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
  }
  return false;
}

/** Removes a folder with everything in it; resolves to whether it is gone. Never rejects. */
export async function removeFolder(path: string): Promise<boolean> {
  try {
    await Deno.remove(path, { recursive: true });
    return true;
  } catch (caught) {
    return caught instanceof Deno.errors.NotFound;
  }
}
