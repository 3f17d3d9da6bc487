import { assert, assertEquals, assertRejects } from "@std/assert";
import { installTools, TOOLS } from "../../scripts/native/install_tools.ts";

/** A stand-in for npm that installs a package for each pin, and counts its calls. */
const FAKE_NPM = `#!/bin/sh
echo call >> "$(dirname "$0")/calls"
while [ "$1" != --prefix ]; do shift; done
prefix=$2; shift 2
for pin; do
  mkdir -p "$prefix/node_modules/\${pin%@*}"
  echo "module.exports = '$pin'" > "$prefix/node_modules/\${pin%@*}/index.js"
done
`;

async function withNpm(
  npm: string,
  body: (folder: string, path: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/npm`;
    await Deno.writeTextFile(path, npm, { mode: 0o755 });
    await body(folder, path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("tools: two at once install once, with exactly the pins, and agree", async () => {
  await withNpm(FAKE_NPM, async (folder, npm) => {
    const root = `${folder}/native`;
    const [one, other] = await Promise.all([
      installTools({ root, npm }),
      installTools({ root, npm }),
    ]);
    assertEquals(one.folder, other.folder);
    for (const [name, version] of Object.entries(TOOLS)) {
      assertEquals(one.require(name), `${name}@${version}`);
      assert((await Deno.stat(one.file(name, "index.js"))).isFile);
    }
    assertEquals((await installTools({ root, npm: "/nowhere/npm" })).folder, one.folder);
    assertEquals(await Deno.readTextFile(`${folder}/calls`), "call\n");
  });
});

Deno.test("tools: what an interrupted installation left is not taken for one", async () => {
  await withNpm(FAKE_NPM, async (folder, npm) => {
    const root = `${folder}/native`;
    await Deno.mkdir(`${root}/tools-staging/node_modules/half`, { recursive: true });
    const tools = await installTools({ root, npm });
    await assertRejects(() => Deno.stat(tools.file("half", "")), Deno.errors.NotFound);
  });
});

Deno.test("tools: an npm that is missing or fails is named, and nothing is kept", async () => {
  await withNpm("#!/bin/sh\necho no network >&2\nexit 7\n", async (folder, npm) => {
    const root = `${folder}/native`;
    const missing = () => installTools({ root, npm: `${folder}/none` });
    await assertRejects(missing, Error, "install Node.js with npm");
    await assertRejects(() => installTools({ root, npm }), Error, "exited 7: no network");
    await assertRejects(() => installTools({ root, npm }), Error, "exited 7: no network");
  });
});
