/**
 * Checks the layers, file sizes and words of the whole repository: `deno task layers`.
 *
 * Prints each problem as `path:line: what, and what to do`, and exits 1 if there is one.
 *
 * @module
 */
import { checkSource, type Problem } from "./layers/rules.ts";

/** Folders that are not tracked, or not ours. */
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".native",
  "node_modules",
  "dist",
  "coverage",
]);
const TEXT_FILE =
  /\.(?:ts|js|mjs|sh|md|json|jsonc|ndjson|txt|lock|yml|yaml)$|\/(?:run|LICENSE|\.gitignore)$/;

/** Checks every text file under `root`, a folder URL that ends in a slash. */
export async function checkTree(root: URL): Promise<{ files: number; problems: Problem[] }> {
  const problems: Problem[] = [];
  let files = 0;
  for await (const path of textFiles(root, "")) {
    files += 1;
    problems.push(...checkSource(path, await Deno.readTextFile(new URL(path, root))));
  }
  return { files, problems };
}

async function* textFiles(root: URL, folder: string): AsyncGenerator<string> {
  const entries: Deno.DirEntry[] = [];
  for await (const entry of Deno.readDir(new URL(folder || ".", root))) entries.push(entry);
  entries.sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory, isFile } of entries) {
    const path = folder + name;
    if (isDirectory && !SKIPPED.has(name)) yield* textFiles(root, `${path}/`);
    else if (isFile && TEXT_FILE.test(`/${path}`)) yield path;
  }
}

if (import.meta.main) {
  const { files, problems } = await checkTree(new URL("../", import.meta.url));
  // deno-lint-ignore no-console
  const print = console.log;
  for (const { path, line, message } of problems) print(`${path}:${line}: ${message}`);
  print(`${files} files checked, ${problems.length} problems`);
  if (problems.length > 0) Deno.exit(1);
}
