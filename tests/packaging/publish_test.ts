/** What JSR would get. Its page is the README, whose relative links lead to files of the package there. */
import { assert, assertEquals } from "@std/assert";
import { documents, ROOT } from "../docs/documents.ts";

/** JSR takes 20 MB; this is what the package may grow to before somebody looks. */
const MAX_BYTES = 3_000_000;

/** The files that would be published, by their path in the project, with their size as it is told. */
async function published(): Promise<ReadonlyMap<string, number>> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assertEquals(code, 0, said);
  assert(!/warning/i.test(said), said);
  const units: Readonly<Record<string, number>> = { B: 1, KB: 1024, MB: 1024 * 1024 };
  const files = new Map<string, number>();
  for (
    const [, url = "", size = "", unit = ""] of said.matchAll(/^\s*(file:\S+) \(([\d.]+)(\w+)\)$/gm)
  ) {
    const path = decodeURIComponent(new URL(url).pathname).slice(ROOT.length + 1);
    files.set(path, Number(size) * units[unit]!);
  }
  return files;
}

const files = await published();

Deno.test("the package holds the program and its documents, and nothing else", () => {
  for (const path of ["mod.ts", "README.md", "LICENSE", "cli-tree.json", "docs/MCP.md"]) {
    assert(files.has(path), path);
  }
  const others = [...files.keys()].filter((path) =>
    !/^(src|docs|skills|scripts\/jsr_offline)\/|^[^/]+$/.test(path)
  );
  assertEquals(others, []);
  const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
  assert(bytes > 0 && bytes < MAX_BYTES, String(bytes));
});

Deno.test("every relative link in a published document names a published file", async () => {
  let seen = 0;
  for (const [path, text] of await documents()) {
    assert(files.has(path), path);
    for (const [, link = ""] of text.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const target = new URL(link, `file:///${path}`).pathname.slice(1);
      assert(files.has(target), `${path}: ${link}`);
      seen++;
    }
  }
  assert(seen > 20);
});
