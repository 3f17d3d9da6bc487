import { assert, assertEquals, assertRejects } from "@std/assert";
import { installNative, PINNED_VERSION } from "../../scripts/native/install.ts";

/** A stand-in for npm that makes a "binary" saying a version, and counts its calls. */
async function fakeNpm(folder: string, version: string): Promise<string> {
  const path = `${folder}/npm`;
  await Deno.writeTextFile(
    path,
    `#!/bin/sh
echo call >> "${folder}/calls"
while [ "$1" != --prefix ]; do shift; done
bin="$2/node_modules/@anthropic-ai/claude-code-${platform()}"
mkdir -p "$bin"
printf '#!/bin/sh\\necho "${version} (Claude Code)"\\n' > "$bin/claude"
chmod +x "$bin/claude"
`,
  );
  await Deno.chmod(path, 0o755);
  return path;
}

function platform(): string {
  return `${Deno.build.os}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
}

async function inTempDir(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("two at once install once and agree", async () => {
  await inTempDir(async (folder) => {
    const npm = await fakeNpm(folder, PINNED_VERSION);
    const root = `${folder}/native`;
    const paths = await Promise.all([installNative({ root, npm }), installNative({ root, npm })]);
    assertEquals(paths[0], paths[1]);
    assert(paths[0]!.startsWith(`${root}/${PINNED_VERSION}/`));
    assertEquals(await installNative({ root, npm: "/nowhere/npm" }), paths[0]);
    assertEquals(await Deno.readTextFile(`${folder}/calls`), "call\n");
  });
});

Deno.test("another version is refused and not kept", async () => {
  await inTempDir(async (folder) => {
    const root = `${folder}/native`;
    const npm = await fakeNpm(folder, "9.9.9");
    await assertRejects(() => installNative({ root, npm }), Error, "9.9.9 (Claude Code)");
    const right = await fakeNpm(folder, PINNED_VERSION);
    assert((await installNative({ root, npm: right })).endsWith("/claude"));
  });
});

Deno.test("without npm the message says what to do", async () => {
  await inTempDir(async (folder) => {
    const install = () => installNative({ root: `${folder}/native`, npm: `${folder}/none` });
    await assertRejects(install, Error, "install Node.js with npm");
  });
});

Deno.test("an npm that fails is quoted", async () => {
  await inTempDir(async (folder) => {
    const npm = `${folder}/npm`;
    await Deno.writeTextFile(npm, "#!/bin/sh\necho no network >&2\nexit 7\n", { mode: 0o755 });
    const install = () => installNative({ root: `${folder}/native`, npm });
    await assertRejects(install, Error, "exited 7: no network");
  });
});
