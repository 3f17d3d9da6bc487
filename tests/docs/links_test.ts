/** Every link within the project leads somewhere. */
import { assert, assertEquals } from "@std/assert";
import { documents, ROOT } from "./documents.ts";

Deno.test("every relative link names a file, and a heading in it", async () => {
  const all = await documents();
  let seen = 0;
  for (const [path, text] of all) {
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
    for (const [, link = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      seen++;
      const [file = "", heading] = link.split("#");
      const target = file === "" ? path : normal(`${folder}/${file}`);
      const { isFile, isDirectory } = await Deno.stat(`${ROOT}/${target}`);
      assert(isFile || isDirectory, `${path}: ${link}`);
      if (heading === undefined) continue;
      const headings = [...(all.get(target) ?? "").matchAll(/^#+ (.+)$/gm)].map(([, name = ""]) =>
        anchor(name)
      );
      assert(headings.includes(heading), `${path}: ${link}: ${headings}`);
    }
  }
  assert(seen > 0);
});

Deno.test("an anchor is written as it is on the web", () => {
  assertEquals(anchor("Who can do what?"), "who-can-do-what");
});

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}

function normal(path: string): string {
  return new URL(path, "file:///").pathname.slice(1);
}
