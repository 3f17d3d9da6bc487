/**
 * A temporary folder that only its owner can look into, for files with secrets, and what of it is left when its owner
 * is killed.
 *
 * @module
 */
import { messageOf } from "../base/errors.ts";
import { PROGRAM_NAME } from "../base/version.ts";
import { encodeToken, parseToken } from "../supervision/marker.ts";
import type { Log } from "../supervision/ports.ts";
import type { ProcessTable } from "./process_table.ts";
import { removeFolder } from "./scratch_folder.ts";

/** A private folder. */
export interface PrivateFolder {
  /** Its absolute, real path. */
  readonly path: string;
  /** Writes a new file that only its owner can read or write; resolves to its path. */
  write(name: string, text: string): Promise<string>;
  /** Makes a folder in it; resolves to its path. */
  subfolder(name: string): Promise<string>;
  /** Removes the folder with everything in it; resolves to whether it is gone. Never rejects. */
  remove(): Promise<boolean>;
}

/** Whose folder it is. */
export interface PrivateFolderOptions {
  /** Tells who this program is, so that a later one can tell whether it is gone. */
  readonly table: Pick<ProcessTable, "self">;
  /** What it is for; letters, digits, `_` and `-`. */
  readonly id: string;
}

const PREFIX = `${PROGRAM_NAME}-`;

/** Makes one below the system's place for temporary files. Needs --allow-write there. */
export async function makePrivateFolder(
  { table, id }: PrivateFolderOptions,
): Promise<PrivateFolder> {
  const { namespace, identity } = await table.self();
  const token = encodeToken({ namespace, adapter: identity, runId: id });
  // Made by the system with mode 0700 and a name that nobody can foresee.
  const made = await Deno.makeTempDir({ prefix: `${PREFIX}${token}-` });
  const path = await Deno.realPath(made).catch(async (caught) => {
    // Such as without the permission to read there.
    await removeFolder(made);
    throw caught;
  });
  return {
    path,
    async write(name, text) {
      const file = `${path}/${name}`;
      await Deno.writeTextFile(file, text, { mode: 0o600, createNew: true });
      return file;
    },
    async subfolder(name) {
      const inner = `${path}/${name}`;
      await Deno.mkdir(inner, { mode: 0o700 });
      return inner;
    },
    remove: () => removeFolder(path),
  };
}

/** Where to look for folders of programs that are gone. */
export interface FolderSweepOptions {
  readonly table: Pick<ProcessTable, "self" | "look">;
  readonly log: Log;
}

/**
 * Removes the private folders of programs that were killed, from the folder that `beside` stands in. Those of programs
 * whose end cannot be known from here, such as in another container, stay. Never rejects; resolves to how many it removed.
 */
export async function sweepPrivateFolders(
  beside: string,
  { table, log }: FolderSweepOptions,
): Promise<number> {
  let removed = 0;
  try {
    const parent = beside.slice(0, beside.lastIndexOf("/"));
    const owned: { readonly path: string; readonly pid: number; readonly start: number }[] = [];
    const { namespace, knowsNamespace } = await table.self();
    if (!knowsNamespace) return 0;
    for await (const { name, isDirectory } of Deno.readDir(parent)) {
      if (!isDirectory || !name.startsWith(PREFIX)) continue;
      const owner = parseToken(name.slice(PREFIX.length));
      if (owner === null || owner.namespace !== namespace) continue;
      owned.push({ path: `${parent}/${name}`, ...owner.adapter });
    }
    if (owned.length === 0) return 0;
    // Looked at after they were listed: whoever made one of them before is in this look, or gone.
    const { rows } = await table.look();
    for (const { path, pid, start } of owned) {
      if (rows.some((row) => row.pid === pid && (row.start === start || row.start === -1))) {
        continue;
      }
      if (await removeFolder(path)) removed += 1;
    }
  } catch (caught) {
    log.write("debug", "private folders could not be looked through", {
      error: messageOf(caught),
    });
  }
  return removed;
}
