import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { locateExecutable } from "../../src/host/locate.ts";
import type { LocateOptions } from "../../src/host/locate.ts";

async function inFolder(act: (folder: string) => void | Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function refused(options: LocateOptions): AdapterError {
  return assertThrows(() => locateExecutable(options), AdapterError);
}

const write = (path: string, mode = 0o755) => Deno.writeTextFileSync(path, "#!/bin/sh\n", { mode });

Deno.test("locate: configured, then the variable, then PATH", async () => {
  await inFolder((folder) => {
    for (const name of ["one", "two", "claude"]) write(`${folder}/${name}`);
    const env = { PATH: `/nowhere:${folder}`, CLAUDE_CODE_EXECUTABLE: `${folder}/two` };
    assertEquals(locateExecutable({ configured: `${folder}/one`, env }), `${folder}/one`);
    assertEquals(locateExecutable({ env }), `${folder}/two`);
    assertEquals(
      locateExecutable({ env: { ...env, CLAUDE_CODE_EXECUTABLE: "" } }),
      `${folder}/claude`,
    );
    assertEquals(locateExecutable({ env: { PATH: `${folder}/` } }), `${folder}/claude`);
  });
});

Deno.test("locate: a relative path is a configuration error that names its source", () => {
  for (const path of ["claude", "./claude", "~/claude", "", "/a\0b"]) {
    const error = refused({ configured: path, env: { PATH: "/usr/bin" } });
    assertEquals(error.code, "invalid_configuration");
    assertStringIncludes(error.message, "must be an absolute path");
  }
  const error = refused({ env: { PATH: "/usr/bin", CLAUDE_CODE_EXECUTABLE: "claude" } });
  assertEquals(error.code, "invalid_configuration");
  assertStringIncludes(error.message, "CLAUDE_CODE_EXECUTABLE");
});

Deno.test("locate: what is configured and unusable is not passed over for another", async () => {
  await inFolder((folder) => {
    write(`${folder}/claude`);
    write(`${folder}/plain`, 0o644);
    const env = { PATH: folder };
    Deno.symlinkSync(`${folder}/circle`, `${folder}/circle`);
    const cases = {
      missing: "does not exist",
      plain: "is not executable",
      "": "is not a file",
      circle: "is a symbolic link in a circle of links",
      "plain/x": "is below something that is not a folder",
    };
    for (const [name, reason] of Object.entries(cases)) {
      const error = refused({ configured: `${folder}/${name}`, env });
      assertEquals(error.code, "dependency_unavailable");
      assertStringIncludes(error.message, reason);
    }
  });
});

Deno.test("locate: PATH skips what cannot be executed and never means the current folder", async () => {
  await inFolder(async (folder) => {
    await Deno.mkdir(`${folder}/a/claude`, { recursive: true });
    await Deno.mkdir(`${folder}/b`);
    await Deno.mkdir(`${folder}/c`);
    write(`${folder}/b/claude`, 0o644);
    const env = { PATH: `${folder}/a:${folder}/b:.::relative` };
    const error = refused({ env });
    assertEquals(error.code, "dependency_unavailable");
    assertStringIncludes(
      error.message,
      "Install Claude Code, or name its absolute path with --executable",
    );
    write(`${folder}/c/claude`);
    assertEquals(
      locateExecutable({ env: { PATH: `${env.PATH}:${folder}/c` } }),
      `${folder}/c/claude`,
    );
    assertEquals(refused({ env: {} }).code, "dependency_unavailable");
  });
});
