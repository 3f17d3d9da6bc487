/** One published version of the CLI under `verify`. */

import { installNative, NATIVE_FOLDER, NoSuchVersion, PINNED_VERSION } from "../native/install.ts";

/** What `verify --json` says, as much of it as the document shows. */
export interface VersionReport {
  readonly version_text: string;
  readonly passed: boolean;
  readonly checks: readonly {
    readonly id: string;
    readonly title: string;
    readonly relies: string;
    readonly passed: boolean;
    readonly finding: string | null;
  }[];
}

/** How one version did. */
export type VersionOutcome =
  | {
    readonly version: string;
    readonly kind: "verified";
    readonly program: string;
    readonly report: VersionReport;
  }
  /** The registry has no such version. */
  | { readonly version: string; readonly kind: "absent" }
  /** It could not be installed or verified at all; `reason` is for the person who runs this. */
  | { readonly version: string; readonly kind: "failed"; readonly reason: string };

/**
 * Installs a version, verifies it, and removes it unless it is to be kept or is the pinned one. The receipt goes to a
 * temporary folder.
 */
export async function verifyVersion(
  version: string,
  { keep = false }: { readonly keep?: boolean } = {},
): Promise<VersionOutcome> {
  let executable: string;
  try {
    executable = await installNative({ version });
  } catch (caught) {
    if (caught instanceof NoSuchVersion) return { version, kind: "absent" };
    return { version, kind: "failed", reason: String(caught) };
  }
  const state = await Deno.makeTempDir({ prefix: "adapter-matrix-" });
  try {
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", entry(), "verify", `--executable=${executable}`, "--json"],
      env: { XDG_STATE_HOME: state },
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    if (text === "") {
      return { version, kind: "failed", reason: new TextDecoder().decode(stderr).trim() };
    }
    const program = executable.endsWith(".js") ? "cli.js for Node.js" : "binary";
    return { version, kind: "verified", program, report: JSON.parse(text) };
  } finally {
    await Deno.remove(state, { recursive: true });
    if (!keep && version !== PINNED_VERSION) {
      await Deno.remove(`${NATIVE_FOLDER}/${version}`, { recursive: true });
    }
  }
}

function entry(): string {
  return decodeURIComponent(new URL("../../mod.ts", import.meta.url).pathname);
}
