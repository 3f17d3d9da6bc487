/**
 * Makes the MCPB bundle of one compiled binary, and the `server.json` with which the MCP registry lists it.
 *
 * `deno run -A scripts/mcpb.ts [--binary PATH] [--platform darwin|linux] [--output PATH] [--url URL]`
 *
 * The binary is `dist/claude-code-adapter` unless it is named. The official tool validates and packs the bundle. With
 * `--url`, where the bundle will be downloaded from, `server.json` is written beside it. Ends with 1 when there is no
 * binary: without one there is nothing to put into a bundle.
 *
 * @module
 */
import { basename, dirname } from "node:path";
import { parseArgs } from "node:util";
import { installTools } from "./native/install_tools.ts";
import { buildBundle } from "./packaging/mcpb_bundle.ts";
import { registryEntry } from "./packaging/registry_entry.ts";

const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    binary: { type: "string", default: "dist/claude-code-adapter" },
    platform: { type: "string", default: Deno.build.os },
    output: { type: "string" },
    url: { type: "string" },
  },
});
const { binary, platform, url } = values;
const root = decodeURIComponent(new URL("..", import.meta.url).pathname);
const output = values.output ??
  `${root}dist/claude-code-adapter-${platform}-${Deno.build.arch}.mcpb`;

if (platform !== "darwin" && platform !== "linux") {
  console.error(`--platform must be darwin or linux, not '${platform}'`);
  Deno.exit(2);
}
try {
  if (!(await Deno.stat(binary)).isFile) throw new Deno.errors.NotFound();
} catch {
  console.error(`NOT BUILT: there is no binary '${binary}'; make one with 'deno task compile'`);
  Deno.exit(1);
}
const tools = await installTools();
const { sha256 } = await buildBundle({ root, binary, platform, output, tools });
console.log(`${output}\nsha256 ${sha256}`);
if (url !== undefined) {
  const entry = await registryEntry({ root, url, sha256 });
  const path = `${dirname(output)}/${basename(output, ".mcpb")}.server.json`;
  await Deno.writeTextFile(path, `${JSON.stringify(entry, null, 2)}\n`);
  console.log(path);
}
