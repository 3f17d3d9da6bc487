/**
 * Installs the pinned native CLI into the git-ignored folder `.native` and says where its binary is.
 *
 * As main: `deno run -A scripts/native/install.ts` installs when needed and prints the absolute path.
 *
 * @module
 */

/** The native version everything here was measured and recorded with. */
export const PINNED_VERSION = "2.1.332";

const PACKAGE = "@anthropic-ai/claude-code";

/** Where to install. */
export interface InstallOptions {
  /**
   * Folder that holds the installation.
   *
   * @default {"<repository>/.native"}
   */
  readonly root?: string;
  /**
   * The npm program, for tests.
   *
   * @default {"npm"}
   */
  readonly npm?: string;
}

/**
 * Makes sure the pinned CLI is installed and returns the absolute path of its binary (about 400 MB).
 *
 * Does nothing but one `--version` call when it is there already. Safe when several processes call it at
 * once: a file lock admits one, the kernel drops it when its holder dies, and a finished installation
 * appears by rename, so an interrupted one is never taken for complete.
 *
 * @param options Where to install.
 * @returns Absolute path of the binary.
 * @throws {Error} When npm is missing or fails, no binary for this platform came, or its version differs.
 */
export async function installNative(options: InstallOptions = {}): Promise<string> {
  const root = options.root ??
    decodeURIComponent(new URL("../../.native", import.meta.url).pathname);
  const folder = `${root}/${PINNED_VERSION}`;
  const ready = await findBinary(folder);
  if (ready !== undefined) return await verified(ready);

  await Deno.mkdir(root, { recursive: true });
  using lock = await Deno.open(`${root}/install.lock`, { create: true, write: true });
  await lock.lock(true);
  const installedMeanwhile = await findBinary(folder);
  if (installedMeanwhile !== undefined) return await verified(installedMeanwhile);

  // The lock is ours, so whatever staging folder exists belongs to nobody alive.
  const staging = `${root}/staging`;
  await remove(staging);
  await Deno.mkdir(staging);
  await npmInstall(staging, options.npm ?? "npm");
  const staged = await findBinary(staging);
  if (staged === undefined) {
    throw new Error(
      `npm installed ${PACKAGE}@${PINNED_VERSION} without a binary for ${platform()}; ` +
        "optional dependencies must not be omitted (npm config get omit)",
    );
  }
  await verified(staged);
  await remove(folder);
  await Deno.rename(staging, folder);
  return `${folder}${staged.slice(staging.length)}`;
}

async function npmInstall(prefix: string, npm: string): Promise<void> {
  // Scripts stay off: the post-install step only links the binary, and would run code we do not need.
  const args = ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  args.push("--prefix", prefix, `${PACKAGE}@${PINNED_VERSION}`);
  let output: Deno.CommandOutput;
  try {
    output = await new Deno.Command(npm, { args, stdin: "null", stdout: "null", stderr: "piped" })
      .output();
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Error(
      `cannot install ${PACKAGE}@${PINNED_VERSION}: the program "${npm}" was not found; ` +
        "install Node.js with npm and put it on PATH",
      { cause },
    );
  }
  if (!output.success) {
    const said = new TextDecoder().decode(output.stderr).trim().slice(-2000);
    throw new Error(`npm install of ${PACKAGE}@${PINNED_VERSION} exited ${output.code}: ${said}`);
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
  for (const libc of ["", "-musl"]) {
    const path = `${folder}/node_modules/${PACKAGE}-${platform()}${libc}/${program}`;
    try {
      if ((await Deno.stat(path)).isFile) return path;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

async function verified(binary: string): Promise<string> {
  const expected = `${PINNED_VERSION} (Claude Code)\n`;
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
  // deno-lint-ignore no-console -- printing the path is what this program is for
  console.log(await installNative());
}
