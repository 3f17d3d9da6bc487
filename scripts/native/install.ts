/**
 * Installs the pinned native CLI, or another published version, into the git-ignored folder `.native` and says where
 * its program is.
 *
 * As main: `deno run -A scripts/native/install.ts [VERSION]` installs when needed and prints the absolute path.
 *
 * @module
 */

/** The native version everything here was measured and recorded with. */
export const PINNED_VERSION = "2.1.332";

const PACKAGE = "@anthropic-ai/claude-code";

/** Where installations are by default; git ignores it. */
export const NATIVE_FOLDER: string = decodeURIComponent(
  new URL("../../.native", import.meta.url).pathname,
);

/** What to install, and where. */
export interface InstallOptions {
  /**
   * A published version.
   *
   * @default {PINNED_VERSION}
   */
  readonly version?: string;
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
}

/** The registry has no such version. */
export class NoSuchVersion extends Error {
  override readonly name = "NoSuchVersion";
}

/** What npm says then. */
const NOT_PUBLISHED = /\b(?:ETARGET|E404)\b/;

/**
 * Makes sure the CLI is installed and returns the absolute path of its program: a binary (about 400 MB), or up to
 * 2.1.112 `cli.js` for Node.js (measured).
 *
 * Does nothing but one `--version` call when it is there already. Safe when several processes call it at
 * once: a file lock admits one, the kernel drops it when its holder dies, and a finished installation
 * appears by rename, so an interrupted one is never taken for complete.
 *
 * @param options What to install, and where.
 * @returns Absolute path of the program.
 * @throws {NoSuchVersion} When the registry lacks the version.
 * @throws {Error} When npm is missing or fails, no binary for this platform came, or its version differs.
 */
export async function installNative(options: InstallOptions = {}): Promise<string> {
  const { version = PINNED_VERSION, root = NATIVE_FOLDER, npm = "npm" } = options;
  const folder = `${root}/${version}`;
  const ready = await findBinary(folder);
  if (ready !== undefined) return await verified(ready, version);

  await Deno.mkdir(root, { recursive: true });
  using lock = await Deno.open(`${root}/install.lock`, { create: true, write: true });
  await lock.lock(true);
  const installedMeanwhile = await findBinary(folder);
  if (installedMeanwhile !== undefined) return await verified(installedMeanwhile, version);

  // The lock is ours, so whatever staging folder exists belongs to nobody alive.
  const staging = `${root}/staging`;
  await remove(staging);
  await Deno.mkdir(staging);
  await npmInstall({ prefix: staging, npm, version });
  const staged = await findBinary(staging);
  if (staged === undefined) {
    throw new Error(
      `npm installed ${PACKAGE}@${version} without a binary for ${platform()}; ` +
        "optional dependencies must not be omitted (npm config get omit)",
    );
  }
  await verified(staged, version);
  await remove(folder);
  await Deno.rename(staging, folder);
  return `${folder}${staged.slice(staging.length)}`;
}

interface NpmInstall {
  readonly prefix: string;
  readonly npm: string;
  readonly version: string;
}

async function npmInstall({ prefix, npm, version }: NpmInstall): Promise<void> {
  // Scripts stay off: the post-install step only links the binary, and would run code we do not need.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  args.push("--prefix", prefix, `${PACKAGE}@${version}`);
  let output: Deno.CommandOutput;
  try {
    output = await new Deno.Command(npm, { args, stdin: "null", stdout: "null", stderr: "piped" })
      .output();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(
      `cannot install ${PACKAGE}@${version}: the program "${npm}" was not found; ` +
        "install Node.js with npm and put it on PATH",
      { cause },
    );
  }
  if (!output.success) {
    const said = new TextDecoder().decode(output.stderr).trim().slice(-2000);
    const message = `npm install of ${PACKAGE}@${version} exited ${output.code}: ${said}`;
    throw NOT_PUBLISHED.test(said) ? new NoSuchVersion(message) : new Error(message);
  }
}

/** `linux-x64` and the like, as the platform packages are named (a musl one adds `-musl`). */
function platform(): string {
  const os = Deno.build.os === "windows" ? "win32" : Deno.build.os;
  return `${os}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
}

/** npm picks glibc or musl by itself, so the platform package that is there is the right one. */
async function findBinary(folder: string): Promise<string | undefined> {
  const program = Deno.build.os === "windows" ? "claude.exe" : "claude";
  const packages = ["", "-musl"].map((libc) => `${PACKAGE}-${platform()}${libc}/${program}`);
  for (const name of [...packages, `${PACKAGE}/cli.js`]) {
    const path = `${folder}/node_modules/${name}`;
    try {
      if ((await Deno.stat(path)).isFile) return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

async function verified(binary: string, version: string): Promise<string> {
  const expected = `${version} (Claude Code)\n`;
  const output = await new Deno.Command(binary, {
    args: ["--version"],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin", DISABLE_AUTOUPDATER: "1" },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(output.stdout);
  if (output.success && said === expected) return binary;
  throw new Error(
    `${binary} --version printed ${
      JSON.stringify(said.slice(0, 200))
    } with exit code ${output.code}, ` +
      `expected ${JSON.stringify(expected)}; remove the folder .native and install again`,
  );
}

async function remove(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

if (import.meta.main) {
  const [version] = Deno.args;
  // deno-lint-ignore no-console -- printing the path is what this program is for
  console.log(await installNative(version === undefined ? {} : { version }));
}
