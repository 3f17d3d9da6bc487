import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installTools } from "../../scripts/native/install_tools.ts";
import { SCHEMA_NAMES } from "./schema_names.ts";
import { ADVICE } from "../../src/mcp/advice.ts";
import { TOOLS } from "../../src/mcp/tools.ts";

const FOLDER = new URL("../../skills/claude-code/", import.meta.url);
const text = await Deno.readTextFile(new URL("SKILL.md", FOLDER));
const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];

Deno.test("the skill's front matter is YAML with what agents' hosts want", async () => {
  const { require } = await installTools();
  const matter = require("yaml").parse(front);
  assertEquals(Object.keys(matter), ["name", "description", "license"]);
  // The name is the folder's, in lower case with hyphens, and the description has a bound.
  assertEquals(matter.name, FOLDER.pathname.split("/").at(-2));
  assert(/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(matter.name) && matter.name.length <= 64);
  assert(matter.description.length > 50 && matter.description.length <= 1_024);
  assert(!/[<>]/.test(matter.description));
});

Deno.test("the skill names every tool and every error code, and none that there is not", () => {
  for (const { name } of TOOLS) assertStringIncludes(body, `\`${name}\``);
  for (const code of Object.keys(ADVICE)) assertStringIncludes(body, `\`${code}\``);
  const known = new Set([
    ...TOOLS.map(({ name }) => name),
    ...Object.keys(ADVICE),
    ...SCHEMA_NAMES,
    "claude",
  ]);
  for (const [, word = ""] of body.matchAll(/`([a-z_.]+)(?:: [a-z0-9]+)?`/g)) {
    assert(known.has(word), `${word} is nothing of this program`);
  }
});
