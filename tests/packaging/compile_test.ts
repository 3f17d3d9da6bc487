/** The binaries: what is written about them, and what is said when one cannot be made. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { PROGRAM_PERMISSIONS } from "../../src/cli/spare_permissions.ts";
import { VERSION } from "../../src/base/version.ts";
import { type BinariesRecord, buildBinaries } from "../../scripts/packaging/build_binaries.ts";
import { compileTarget, lacksBase } from "../../scripts/packaging/compile_target.ts";
import { bundleProgram } from "../../scripts/packaging/program_bundle.ts";
import { binaryFile, isHere, TARGETS } from "../../scripts/packaging/targets.ts";
import { denoDir } from "../../scripts/support/place.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const HERE = TARGETS.find(isHere)!;

async function inTempDir(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-compile " }));
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A folder with links to everything in another one but `without`. */
async function linkAll(from: string, to: string, without: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) {
    const isThere = await Deno.lstat(`${to}/${name}`).then(() => true, () => false);
    if (name !== without && !isThere) await Deno.symlink(`${from}/${name}`, `${to}/${name}`);
  }
}

/** The task as a process, in a Deno folder without base binaries, and without a way to get one. */
async function compile(
  folder: string,
  { args = [], env = {} }: {
    readonly args?: readonly string[];
    readonly env?: { readonly [name: string]: string };
  } = {},
): Promise<{ readonly code: number; readonly said: string }> {
  const cache = `${folder}/deno`;
  await linkAll(await denoDir(), cache, "dl");
  await linkAll(`${await denoDir()}/dl`, `${cache}/dl`, "release"); // esbuild is beside it
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}scripts/compile.ts`, "--output", `${folder}/dist`, ...args],
    env: {
      DENO_DIR: cache,
      DENORT_BIN: "",
      HTTPS_PROXY: "http://127.0.0.1:9",
      https_proxy: "http://127.0.0.1:9",
      NO_PROXY: "",
      no_proxy: "",
      NO_COLOR: "1",
      ...env,
    },
    stdin: "null",
  }).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, said: out! + err! };
}

Deno.test("without a base binary every target is said to be not built, the exit code is 3, and the bundle works", async () => {
  await inTempDir(async (folder) => {
    const { code, said } = await compile(folder);
    assertEquals(code, 3, said);
    for (const target of TARGETS) {
      assertStringIncludes(
        said,
        `NOT BUILT: ${binaryFile(target)} (${target.name}): Setting up base`,
      );
    }
    assertStringIncludes(said, "NOT BUILT: 4 of 4 binaries");
    assertStringIncludes(said, "set DENORT_BIN to a denort");
    const dist = `${folder}/dist`;
    const names = (await Array.fromAsync(Deno.readDir(dist))).map(({ name }) => name).sort();
    assertEquals(names, ["binaries.json", "bundle"]);
    const record: BinariesRecord = JSON.parse(await Deno.readTextFile(`${dist}/binaries.json`));
    assertEquals([record.binaries.length, record.not_built.map(({ kind }) => kind)], [
      0,
      TARGETS.map(() => "no base" as const),
    ]);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", `${dist}/bundle/claude-code-adapter.js`, "--version"],
    }).output();
    assertEquals(new TextDecoder().decode(stdout), `claude-code-adapter ${VERSION}\n`);
  });
});

Deno.test("a base that is none is a failure with exit code 1, and leaves no binary", async () => {
  await inTempDir(async (folder) => {
    // A whole Deno ignores the program that is put into it; a path to nothing is no way to go on.
    const bases = [[Deno.execPath(), "its base is no denort"], ["/nowhere/denort", "/nowhere"]];
    for (const [base = "", why = ""] of bases) {
      const { code, said } = await compile(folder, { env: { DENORT_BIN: base } });
      assertEquals(code, 1, said);
      assertStringIncludes(said, `NOT BUILT: ${binaryFile(HERE)}`);
      assertStringIncludes(said, why);
      assert(!said.includes("of 1 binaries"), "it is not the missing base that is said");
      const names = (await Array.fromAsync(Deno.readDir(`${folder}/dist`))).map(({ name }) => name);
      assertEquals(names.sort(), ["binaries.json", "bundle"]);
    }
  });
});

Deno.test("one base for several targets, and a target that there is not, are wrong usage", async () => {
  await inTempDir(async (folder) => {
    const two = TARGETS.slice(0, 2).flatMap(({ name }) => ["--target", name]);
    const one = await compile(folder, { args: two, env: { DENORT_BIN: "/x/denort" } });
    assertEquals(one.code, 2);
    assertStringIncludes(one.said, "put {target} into it");
    const other = await compile(folder, { args: ["--target", "x86_64-pc-windows-msvc"] });
    assertEquals(other.code, 2);
    assertStringIncludes(other.said, TARGETS.map(({ name }) => name).join(", "));
  });
});

Deno.test("only a missing base is taken for one", async () => {
  assert(lacksBase("Caused by:\n    0: Setting up base binary.\n    1: error sending request"));
  assert(!lacksBase("Caused by:\n    0: Writing binary bytes\n    1: Invalid object"));
  assert(!lacksBase("error: Module not found"));
  await inTempDir(async (folder) => {
    const options = { target: HERE, main: `${folder}/none.js`, output: `${folder}/out` };
    const { kind } = await compileTarget(options);
    assertEquals(kind, "failed", "a program that is not there");
  });
});

Deno.test("what was built is recorded, and its checksums hold for the usual tools", async () => {
  await inTempDir(async (folder) => {
    const bundle = await bundleProgram({ folder: `${folder}/bundle`, deno: Deno.execPath() });
    const lines: string[] = [];
    await Deno.writeTextFile(`${folder}/SHA256SUMS`, "of an earlier build");
    const record = await buildBinaries({
      targets: TARGETS,
      bundle,
      folder,
      base: ({ name }) => `/bases/${name}`,
      // The launcher stands in for the binary: a base cannot be had everywhere.
      compile: async ({ target, output, base }) => {
        assertEquals(base, `/bases/${target.name}`);
        if (target.os === "darwin" && target.arch === "x64") return { kind: "no base", why: "x" };
        const link = `#!/bin/sh\n# ${target.name}\nexec '${bundle.launcher}' "$@"\n`;
        await Deno.writeTextFile(output, link, { mode: 0o755 });
        return { kind: "built" };
      },
      say: (line) => void lines.push(line),
    });
    assertEquals(JSON.parse(await Deno.readTextFile(`${folder}/binaries.json`)), record);
    const built = TARGETS.filter(({ name }) => name !== "x86_64-apple-darwin");
    assertEquals(record.binaries.map(({ file }) => file), built.map(binaryFile));
    assertEquals(record.not_built, [{ target: "x86_64-apple-darwin", kind: "no base", why: "x" }]);
    for (const { target, file, bytes, start_ratio } of record.binaries) {
      assertEquals(bytes, (await Deno.stat(`${folder}/${file}`)).size);
      assertEquals(start_ratio !== null, target === HERE.name, "where it can be run");
    }
    const check = new Deno.Command("sha256sum", { args: ["-c", "SHA256SUMS"], cwd: folder });
    const { code, stdout } = await check.output();
    assertEquals(
      [code, new TextDecoder().decode(stdout)],
      [0, built.map((target) => `${binaryFile(target)}: OK\n`).join("")],
    );
    await Deno.writeTextFile(`${folder}/${binaryFile(HERE)}`, "changed", { append: true });
    assertEquals((await check.output()).code, 1);
    assertMatch(lines.join("\n"), /^built claude-code-adapter-linux-x64 \(.*MB$/m);
  });
});

Deno.test("a binary that is not this program is not left behind", async () => {
  await inTempDir(async (folder) => {
    const bundle = { main: "", launcher: "", bytes: 0, files: 0 };
    const record = await buildBinaries({
      targets: [HERE],
      bundle,
      folder,
      compile: async ({ output }) => {
        await Deno.writeTextFile(output, "#!/bin/sh\necho deno 9\n", { mode: 0o755 });
        return { kind: "built" };
      },
      say: () => {},
    });
    assertEquals(record.not_built[0]?.kind, "failed");
    assertStringIncludes(record.not_built[0]!.why, "it says 'deno 9' to --version");
    assertEquals(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), [
      "binaries.json",
    ]);
  });
});

Deno.test("the permissions in deno.json are those that are baked in, or fewer", async () => {
  const { permissions } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  const flags = (set: Record<string, true | string[]>) =>
    Object.entries(set).map(([name, value]) =>
      `--allow-${name}${value === true ? "" : `=${value.join(",")}`}`
    ).sort();
  assertEquals(flags(permissions.program), [...PROGRAM_PERMISSIONS].sort());
  for (const name of ["serve", "run", "supervise"]) {
    for (const flag of flags(permissions[name])) assert(PROGRAM_PERMISSIONS.includes(flag), name);
  }
});
