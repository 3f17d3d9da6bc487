/**
 * Waits until a program has written a line to a file. Tools of the native CLI print nothing while they run in
 * the foreground, so what has to be waited for writes a file.
 *
 * @param folder An existing folder.
 * @param name The file's name in it.
 * @returns The file's text without the last newline.
 */
export async function written(folder: string, name: string): Promise<string> {
  using watcher = Deno.watchFs(folder, { recursive: false });
  const first = await wholeLines(`${folder}/${name}`);
  if (first !== null) return first;
  for await (const _event of watcher) {
    const text = await wholeLines(`${folder}/${name}`);
    if (text !== null) return text;
  }
  throw new Error(`the watcher of ${folder} ended`);
}

async function wholeLines(path: string): Promise<string | null> {
  try {
    const text = await Deno.readTextFile(path);
    return text.endsWith("\n") ? text.trimEnd() : null;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}
