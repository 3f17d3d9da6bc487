/**
 * A bundle that takes itself for a compiled binary: Deno says so, and names the stand-in as what runs. It starts itself
 * again as its supervisor and tells hosts to start it, as a binary does. A real one needs a base that cannot be had
 * everywhere.
 *
 * @module
 */
import { V8_FLAGS } from "../../src/cli/hosts/launch.ts";
import { PROGRAM_PERMISSIONS } from "../../src/cli/spare_permissions.ts";

/** Writes the stand-in for the bundle's main file into a folder that is there; returns its path. */
export async function compiledStandIn(main: string, folder: string): Promise<string> {
  const path = `${folder}/claude-code-adapter`;
  const before = `${folder}/before.js`;
  await Deno.writeTextFile(
    before,
    `Deno.execPath = () => ${JSON.stringify(path)};\n` +
      `Deno.build = { ...Deno.build, standalone: true };\n`,
  );
  const command = [
    Deno.execPath(),
    "run",
    `--preload=${before}`,
    "--quiet",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    V8_FLAGS,
    ...PROGRAM_PERMISSIONS,
    main,
  ];
  const quoted = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  await Deno.writeTextFile(path, `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 });
  return path;
}
