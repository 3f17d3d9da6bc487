/**
 * Makes MCPB bundles of the compiled binaries in `dist/`, one for each, and the `server.json` with which the MCP
 * registry lists them.
 *
 * `deno task mcpb [--folder FOLDER] [--url URL]`, or for one binary
 * `deno task mcpb --binary PATH [--os linux|darwin] [--arch x64|arm64]`.
 *
 * The official tool validates and packs the bundles, beside the binaries. With `--url`, the folder that they will be
 * downloaded from, `server.json` is written there too. Ends with 1 when there is no binary: without one there is nothing
 * to put into a bundle.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { VERSION } from "../src/base/version.ts";
import { installTools } from "./native/install_tools.ts";
import { type BinariesRecord, RECORD_FILE } from "./packaging/build_binaries.ts";
import { buildBundle } from "./packaging/mcpb_bundle.ts";
import { type PublishedBundle, registryEntry } from "./packaging/registry_entry.ts";
import { binaryFile, type Target, TARGETS } from "./packaging/targets.ts";

/** What is packed, and for whom. */
interface Packed extends Pick<Target, "os" | "arch"> {
  readonly binary: string;
}

const root = decodeURIComponent(new URL("..", import.meta.url).pathname);
const { values } = parseArgs({
  args: [...Deno.args],
  options: {
    folder: { type: "string", default: `${root}dist` },
    binary: { type: "string" },
    os: { type: "string", default: Deno.build.os },
    arch: { type: "string", default: Deno.build.arch === "aarch64" ? "arm64" : "x64" },
    url: { type: "string" },
  },
});
const { folder, url } = values;

const all = values.binary === undefined ? await compiled() : [await named(values.binary)];
const tools = await installTools();
const bundles: PublishedBundle[] = [];
for (const { binary, os, arch } of all) {
  const file = `${binaryFile({ os, arch })}.mcpb`;
  const output = `${folder}/${file}`;
  const { sha256 } = await buildBundle({ root, binary, platform: os, output, tools });
  console.log(`${output}\nsha256 ${sha256}`);
  if (url !== undefined) bundles.push({ url: `${url.replace(/\/+$/, "")}/${file}`, sha256 });
}
if (url !== undefined) {
  const path = `${folder}/server.json`;
  const entry = await registryEntry(root, bundles);
  await Deno.writeTextFile(path, `${JSON.stringify(entry, null, 2)}\n`);
  console.log(path);
}

/** What `deno task compile` made, all of it and of this version. */
async function compiled(): Promise<readonly Packed[]> {
  const path = `${folder}/${RECORD_FILE}`;
  let record: BinariesRecord | null = null;
  try {
    record = JSON.parse(await Deno.readTextFile(path));
  } catch (caught) {
    if (!(caught instanceof Deno.errors.NotFound)) throw caught;
  }
  if (record === null || record.binaries.length === 0) {
    notBuilt(
      `there are no compiled binaries in ${folder}; make them with 'deno task compile', ` +
        "or name one with --binary",
    );
  }
  if (record.version !== VERSION) {
    notBuilt(`the binaries in ${folder} are of version ${record.version}, and this is ${VERSION}`);
  }
  return record.binaries.map(({ target, file }) => {
    const { os, arch } = TARGETS.find(({ name }) => name === target)!;
    return { binary: `${folder}/${file}`, os, arch };
  });
}

async function named(binary: string): Promise<Packed> {
  const target = TARGETS.find(({ os, arch }) => os === values.os && arch === values.arch);
  if (target === undefined) {
    console.error(
      `--os must be linux or darwin and --arch x64 or arm64, not '${values.os}' and '${values.arch}'`,
    );
    Deno.exit(2);
  }
  const isFile = await Deno.stat(binary).then(({ isFile }) => isFile, () => false);
  if (!isFile) notBuilt(`there is no binary '${binary}'; make one with 'deno task compile'`);
  return { binary, os: target.os, arch: target.arch };
}

function notBuilt(why: string): never {
  console.error(`NOT BUILT: ${why}`);
  Deno.exit(1);
}
