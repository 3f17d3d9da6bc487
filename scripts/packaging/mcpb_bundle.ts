/** The MCPB bundle: a manifest, the binary and its licence, packed by the official tool. */
import { VERSION } from "../../src/base/version.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import type { Tools } from "../native/install_tools.ts";

/** What to pack. */
export interface BundleOptions {
  /** The repository, with its last slash. */
  readonly root: string;
  /** The compiled program for that platform. */
  readonly binary: string;
  readonly platform: "darwin" | "linux";
  /** The `.mcpb` file to write. */
  readonly output: string;
  readonly tools: Tools;
}

/** A manifest as the official schema has it, as much of it as is set here. */
export interface Manifest {
  readonly version: string;
  readonly server: { readonly entry_point: string };
  readonly [member: string]: unknown;
}

/** The manifest of a bundle: the one in the repository with this version, its tools and the platform. */
export async function bundleManifest(
  { root, platform }: Pick<BundleOptions, "root" | "platform">,
): Promise<Manifest> {
  const base: Manifest = JSON.parse(await Deno.readTextFile(`${root}packaging/mcpb/manifest.json`));
  return {
    ...base,
    version: VERSION,
    tools: TOOLS.map(({ name, title }) => ({ name, description: title })),
    compatibility: { platforms: [platform] },
  };
}

/**
 * Packs a bundle.
 *
 * @returns The SHA-256 of the file, as the registry wants it.
 * @throws {Error} When the official tool finds the manifest wrong or cannot pack.
 */
export async function buildBundle(options: BundleOptions): Promise<{ readonly sha256: string }> {
  const { root, binary, output, tools } = options;
  const staging = await Deno.makeTempDir({ prefix: "adapter-mcpb-" });
  try {
    const manifest = await bundleManifest(options);
    const program = `${staging}/${manifest.server.entry_point}`;
    await Deno.mkdir(program.slice(0, program.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(binary, program);
    await Deno.chmod(program, 0o755);
    await Deno.copyFile(`${root}LICENSE`, `${staging}/LICENSE`);
    await Deno.writeTextFile(`${staging}/manifest.json`, JSON.stringify(manifest, null, 2));
    await Deno.mkdir(output.slice(0, output.lastIndexOf("/")) || ".", { recursive: true });
    await mcpb(tools, ["validate", `${staging}/manifest.json`]);
    await mcpb(tools, ["pack", staging, output]);
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
  const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(output));
  return { sha256: new Uint8Array(digest).toHex() };
}

/** Runs the official tool; throws what it said when it does not end with 0. */
export async function mcpb(tools: Tools, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [tools.file("@anthropic-ai/mcpb", "dist/cli/cli.js"), ...args],
    stdin: "null",
  }).output();
  const said = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n").trim();
  if (!success) throw new Error(`mcpb ${args[0]} failed: ${said.slice(-2_000)}`);
  return said;
}
