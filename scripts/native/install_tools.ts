/**
 * Installs what tests hold this program against into the git-ignored folder `.native`: the Inspector as an MCP client,
 * the official tool for MCPB bundles, and independent readers of the formats that are written. Nothing of it is part of
 * the program.
 *
 * As main: `deno run -A scripts/native/install_tools.ts` installs when needed and prints the folder.
 *
 * @module
 */
import { createRequire } from "node:module";
import { NATIVE_FOLDER } from "./install.ts";

/** What is installed, pinned. */
export const TOOLS: { readonly [name: string]: string } = {
  // The newest whose command line runs on Node 20: 0.16 asks for 22, 1 and 2 do too.
  "@modelcontextprotocol/inspector": "0.15.0",
  "@anthropic-ai/mcpb": "2.1.2",
  ajv: "8.17.1",
  "ajv-formats": "3.0.1",
  "smol-toml": "1.6.0",
  yaml: "2.8.1",
  // A browser that needs no installation: binary and libraries, packed with brotli. scripts/support/chromium.ts unpacks it.
  "@sparticuz/chromium": "153.0.0",
  "axe-core": "4.14.1",
};

/** Where to install. */
export interface InstallToolsOptions {
  /**
   * Folder that holds the installation.
   *
   * @default {NATIVE_FOLDER}
   */
  readonly root?: string;
  /**
   * The npm program, for tests.
   *
   * @default {"npm"}
   */
  readonly npm?: string;
  /**
   * What is installed instead, into a folder of its own.
   *
   * @default {TOOLS}
   */
  readonly pins?: { readonly [name: string]: string };
  /**
   * Kinds of dependencies that npm leaves out, such as `optional`.
   *
   * @default {[]}
   */
  readonly omit?: readonly string[];
}

/** Tools that are there. */
export interface Tools {
  /** Absolute path of the folder with `node_modules`. */
  readonly folder: string;
  /** A package's main export, as Node.js would give it. Its shape is the package's affair. */
  // deno-lint-ignore no-explicit-any -- packages of tests, whose types are not installed for Deno
  require(name: string): any;
  /** Absolute path of a file in a package. */
  file(name: string, path: string): string;
}

/**
 * Makes sure the tools are installed (about 240 MB, 30 s the first time).
 *
 * Safe when several processes call it at once, and after an interruption: a file lock admits one, and a finished
 * installation appears by rename. Other pins are another folder.
 *
 * @throws {Error} When npm is missing or fails.
 */
export async function installTools(options: InstallToolsOptions = {}): Promise<Tools> {
  const { root = NATIVE_FOLDER, npm = "npm", omit = [] } = options;
  const pins = pinned(options);
  const folder = await folderOf(options);
  if (await exists(folder)) return toolsIn(folder);

  await Deno.mkdir(root, { recursive: true });
  using lock = await Deno.open(`${root}/tools.lock`, { create: true, write: true });
  await lock.lock(true);
  if (await exists(folder)) return toolsIn(folder);
  // The lock is ours, so whatever staging folder exists belongs to nobody alive.
  const staging = `${root}/tools-staging`;
  if (await exists(staging)) await Deno.remove(staging, { recursive: true });
  await Deno.mkdir(staging);
  await npmInstall(pins, { prefix: staging, npm, omit });
  await Deno.rename(staging, folder);
  return toolsIn(folder);
}

/** Whether they are installed already. */
export async function areToolsInstalled(options: InstallToolsOptions = {}): Promise<boolean> {
  return await exists(await folderOf(options));
}

function pinned({ pins = TOOLS }: InstallToolsOptions): readonly string[] {
  return Object.entries(pins).map(([name, version]) => `${name}@${version}`);
}

async function folderOf(options: InstallToolsOptions): Promise<string> {
  const digest = await shortDigest(pinned(options).join(" "));
  return `${options.root ?? NATIVE_FOLDER}/tools-${digest}`;
}

function toolsIn(folder: string): Tools {
  const require = createRequire(`${folder}/index.js`);
  return {
    folder,
    require: (name) => require(name),
    file: (name, path) => `${folder}/node_modules/${name}/${path}`,
  };
}

async function npmInstall(
  pins: readonly string[],
  { prefix, npm, omit }: Required<Pick<InstallToolsOptions, "npm" | "omit">> & {
    readonly prefix: string;
  },
): Promise<void> {
  // Scripts stay off: nothing that is used has any.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  args.push(...omit.map((kind) => `--omit=${kind}`), "--prefix", prefix, ...pins);
  let output: Deno.CommandOutput;
  try {
    output = await new Deno.Command(npm, { args, stdin: "null", stdout: "null", stderr: "piped" })
      .output();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(
      `cannot install ${pins.join(" ")}: the program "${npm}" was not found; ` +
        "install Node.js with npm and put it on PATH",
      { cause },
    );
  }
  if (output.success) return;
  const said = new TextDecoder().decode(output.stderr).trim().slice(-2000);
  throw new Error(`npm install of ${pins.join(" ")} exited ${output.code}: ${said}`);
}

async function shortDigest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 12);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (caught) {
    if (caught instanceof Deno.errors.NotFound) return false;
    throw caught;
  }
}

if (import.meta.main) {
  // deno-lint-ignore no-console -- printing the path is what this program is for
  console.log((await installTools()).folder);
}
