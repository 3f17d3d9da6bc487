/** The documents of the project, and what is in them. */
import { fileURLToPath } from "node:url";

/** The folder of the project, absolute and without a slash at its end. */
export const ROOT = fileURL("../..").replace(/\/$/, "");

/** A fenced block. */
export interface Block {
  /** `docs/MCP.md:12`, the line of its fence. */
  readonly place: string;
  /** The word after the fence, or an empty string. */
  readonly language: string;
  readonly text: string;
}

/** Every document that people read, by its path in the project. */
export async function documents(): Promise<ReadonlyMap<string, string>> {
  const paths = ["README.md", "CHANGELOG.md", "skills/claude-code/SKILL.md"];
  for await (const { name } of Deno.readDir(`${ROOT}/docs`)) {
    if (name.endsWith(".md")) paths.push(`docs/${name}`);
  }
  return new Map(
    await Promise.all(
      paths.sort().map(async (path) => [path, await Deno.readTextFile(`${ROOT}/${path}`)] as const),
    ),
  );
}

/** The fenced blocks of all documents, those in lists too. */
export async function blocks(): Promise<readonly Block[]> {
  const found: Block[] = [];
  for (const [path, text] of await documents()) {
    let open: { readonly line: number; readonly language: string; readonly indent: number } | null =
      null;
    let lines: string[] = [];
    for (const [index, line] of text.split("\n").entries()) {
      const fence = /^( *)```(.*)$/.exec(line);
      if (fence === null) {
        lines.push(line.slice(open?.indent ?? 0));
      } else if (open === null) {
        open = { line: index + 1, language: fence[2] ?? "", indent: fence[1]?.length ?? 0 };
        lines = [];
      } else {
        found.push({
          place: `${path}:${open.line}`,
          language: open.language,
          text: lines.join("\n"),
        });
        open = null;
      }
    }
    if (open !== null) throw new Error(`${path}:${open.line} is a fence that nothing closes`);
  }
  return found;
}

/** Every source that is published, by its path in the project. */
export async function* sources(): AsyncGenerator<readonly [path: string, text: string], void> {
  yield ["mod.ts", await Deno.readTextFile(`${ROOT}/mod.ts`)];
  const folders = ["src"];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/${folder}`)) {
      const path = `${folder}/${name}`;
      if (isDirectory) folders.push(path);
      else yield [path, await Deno.readTextFile(`${ROOT}/${path}`)];
    }
  }
}

function fileURL(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}
