/**
 * The program as a few JavaScript files, and a launcher that starts them with Deno.
 *
 * What is loaded later stays in files of its own: in one file everything that a part needs of Node.js would be loaded at
 * the start (docs/PERFORMANCE.md). The binaries are compiled from these files too.
 *
 * @module
 */
import { BINARY_NAME, V8_FLAGS } from "../../src/cli/hosts/launch.ts";
import { PROGRAM_PERMISSIONS } from "../../src/cli/spare_permissions.ts";

/** One entry of the bundle. */
export interface Part {
  /** From the root of the repository. */
  readonly source: string;
  readonly file: string;
  /** What it loads later goes into files of its own. */
  readonly isSplit: boolean;
}

/** The file that is the program. Its name is what `doctor` finds in the configuration of hosts. */
export const MAIN_FILE = `${BINARY_NAME}.js`;

/** The entries; src/host/supervisor_command.ts looks for the supervisor's beside itself. */
export const PARTS: readonly Part[] = [
  { source: "src/cli/entry.ts", file: MAIN_FILE, isSplit: true },
  { source: "src/host/supervise_entry.ts", file: "supervise_entry.js", isSplit: false },
];

/** How to bundle. */
export interface ProgramBundleOptions {
  /** Made anew: what was there is removed. */
  readonly folder: string;
  /** Names and white space give way: half the size, and a little at the start. Default: true. */
  readonly minify?: boolean;
  /** The Deno of the launcher. Default: the one on PATH. */
  readonly deno?: string;
}

/** What was made. */
export interface ProgramBundle {
  /** The file to start with Deno. */
  readonly main: string;
  /** The program to start by itself. */
  readonly launcher: string;
  /** Of all JavaScript files. */
  readonly bytes: number;
  readonly files: number;
}

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/**
 * Bundles the program into a folder.
 *
 * @throws {Error} When `deno bundle` fails.
 */
export async function bundleProgram(options: ProgramBundleOptions): Promise<ProgramBundle> {
  const { minify = true, deno = "deno" } = options;
  const folder = options.folder.replace(/\/+$/, "");
  await Deno.remove(folder, { recursive: true }).catch(ignoreMissing);
  await Deno.mkdir(folder, { recursive: true });
  for (const part of PARTS) await bundlePart(part, folder, minify);
  const launcher = `${folder}/${BINARY_NAME}`;
  await Deno.writeTextFile(launcher, launcherText(deno), { mode: 0o755 });
  let bytes = 0;
  let files = 0;
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".js")) continue;
    bytes += (await Deno.stat(`${folder}/${name}`)).size;
    files++;
  }
  return { main: `${folder}/${MAIN_FILE}`, launcher, bytes, files };
}

async function bundlePart(part: Part, folder: string, minify: boolean): Promise<void> {
  const { source, file, isSplit } = part;
  const made = `${folder}/${source.slice(source.lastIndexOf("/") + 1, -".ts".length)}.js`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--platform=deno",
      ...(minify ? ["--minify"] : []),
      ...(isSplit ? ["--code-splitting", "--outdir", folder] : ["-o", made]),
      ROOT + source,
    ],
    cwd: ROOT,
    stdin: "null",
    stdout: "null",
  }).output();
  if (!success) throw new Error(`deno bundle of ${source}: ${new TextDecoder().decode(stderr)}`);
  await Deno.rename(made, `${folder}/${file}`);
}

/** A program of the shell that becomes Deno, and finds its folder through links too. */
function launcherText(deno: string): string {
  const flags = [
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-npm",
    "--no-remote",
    V8_FLAGS,
    ...PROGRAM_PERMISSIONS,
  ];
  return `#!/bin/sh
# Starts ${BINARY_NAME} with Deno 2.9 or later. The program itself gives up the permissions that a command does not need.
deno='${deno.replaceAll("'", `'\\''`)}'
case $0 in
  */*) self=$0 ;;
  *) self=./$0 ;;
esac
while [ -L "$self" ]; do
  target=$(readlink "$self") || exit 127
  case $target in
    /*) self=$target ;;
    *) self=\${self%/*}/$target ;;
  esac
done
folder=$(CDPATH= cd -- "\${self%/*}/" && pwd -P) || exit 127
if ! command -v "$deno" >/dev/null 2>&1; then
  echo "${BINARY_NAME}: there is no program '$deno': install Deno 2.9 or later, and put it on PATH" >&2
  exit 127
fi
exec "$deno" run ${flags.join(" ")} "$folder/${MAIN_FILE}" "$@"
`;
}

function ignoreMissing(caught: unknown): void {
  if (!(caught instanceof Deno.errors.NotFound)) throw caught;
}
