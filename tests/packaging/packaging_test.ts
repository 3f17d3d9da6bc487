import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { VERSION } from "../../src/base/version.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { installTools } from "../../scripts/native/install_tools.ts";
import { buildBundle, bundleManifest, mcpb } from "../../scripts/packaging/mcpb_bundle.ts";
import { TARGETS } from "../../scripts/packaging/targets.ts";
import { buildBinaries } from "../../scripts/packaging/build_binaries.ts";
import { registryEntry } from "../../scripts/packaging/registry_entry.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand, McpClient } from "../helpers/mcp_client.ts";
import { cleanEnv } from "../cli/adapter.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const tools = await installTools();

/** Judges by a JSON Schema of draft 7, formats included. */
function schemaFaults(schema: object, value: unknown): unknown {
  const Ajv = tools.require("ajv").default;
  const ajv = new Ajv({ strict: false, allErrors: true });
  tools.require("ajv-formats").default(ajv);
  return ajv.validate(schema, value) ? null : ajv.errors;
}

async function readJson(path: string) {
  return JSON.parse(await Deno.readTextFile(path));
}

async function inTempDir(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-packaging " }));
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("server.json follows the registry's schema, with and without a bundle", async () => {
  const schema = await readJson(`${ROOT}fixtures/schemas/mcp_server_2025-12-11.schema.json`);
  const base = await readJson(`${ROOT}packaging/server.json`);
  assertEquals([base.$schema, base.version], [schema.$id, VERSION]);
  const url = "https://example.com/releases/claude-code-adapter.mcpb";
  const one = { url, sha256: "0".repeat(64) };
  const whole = await registryEntry(ROOT, [one, { ...one, url: `${url}.too.mcpb` }]);
  for (const entry of [base, whole]) assertEquals(schemaFaults(schema, entry), null);
  // The judge can say no.
  assert(schemaFaults(schema, { ...base, description: "x".repeat(101) }) !== null);
  assert(schemaFaults(schema, await registryEntry(ROOT, [{ url, sha256: "no" }])) !== null);
  await assertRejects(
    () => registryEntry(ROOT, [{ url: "http://x/y", sha256: "" }]),
    Error,
    "https",
  );
});

Deno.test("the bundle's manifest follows the official schema and names this version and these tools", async () => {
  const schema = await readJson(
    tools.file("@anthropic-ai/mcpb", "schemas/mcpb-manifest-v0.3.schema.json"),
  );
  const base = await readJson(`${ROOT}packaging/mcpb/manifest.json`);
  assertEquals([base.manifest_version, base.version], ["0.3", VERSION]);
  for (const platform of ["darwin", "linux"] as const) {
    const manifest = await bundleManifest({ root: ROOT, platform });
    assertEquals(schemaFaults(schema, manifest), null);
    assertEquals(manifest.tools, TOOLS.map(({ name, title }) => ({ name, description: title })));
  }
  assert(schemaFaults(schema, { ...base, server: { ...base.server, type: "deno" } }) !== null);
});

Deno.test("a bundle is packed by the official tool, and what it holds serves a host", async () => {
  await inTempDir(async (folder) => {
    // A program that does what the compiled one does, made from source: the base binary cannot be had everywhere.
    const [deno = "", ...words] = adapterCommand();
    const quoted = [deno, ...words].map((word) => `'${word}'`).join(" ");
    const binary = `${folder}/adapter`;
    await Deno.writeTextFile(binary, `#!/bin/sh\nexec ${quoted} "$@"\n`);
    const platform = Deno.build.os === "darwin" ? "darwin" : "linux";
    const output = `${folder}/made/here.mcpb`;
    const { sha256 } = await buildBundle({ root: ROOT, binary, platform, output, tools });
    assert(/^[0-9a-f]{64}$/.test(sha256));
    const unpacked = `${folder}/unpacked here`;
    await mcpb(tools, ["unpack", output, unpacked]);
    const names = (await Array.fromAsync(Deno.readDir(unpacked))).map(({ name }) => name).sort();
    assertEquals(names, ["LICENSE", "manifest.json", "server"]);
    await Deno.mkdir(`${folder}/project`);

    // Once with a program that the person chose, once without.
    for (const chosen of [{ executable: fakeClaude("ok") }, {}]) {
      const { command, args } = await hostConfig(unpacked, {
        project: `${folder}/project`,
        ...chosen,
      });
      await using client = McpClient.start({
        cwd: "/",
        env: cleanEnv("executable" in chosen ? {} : { CLAUDE_CODE_EXECUTABLE: fakeClaude("ok") }),
        command: [command, ...args],
        args: [],
      });
      await client.initialize();
      const { value, text } = await client.callTool("claude.run", { prompt: "hi" });
      assertEquals(value.result, "hello", text);
      assertEquals(await client.close(), 0);
    }
  });
});

async function mcpbTask(...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", `${ROOT}scripts/mcpb.ts`, ...args],
  }).output();
  const [said, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, said: said!, error: error! };
}

Deno.test("the task packs every binary that was compiled, and the registry's entry lists them", async () => {
  await inTempDir(async (folder) => {
    await buildBinaries({
      targets: TARGETS.filter(({ arch }) => arch === "arm64"),
      bundle: { main: "", launcher: "", bytes: 0, files: 0 },
      folder,
      compile: async ({ output }) => {
        const text = `#!/bin/sh\necho claude-code-adapter ${VERSION}\n`;
        await Deno.writeTextFile(output, text, { mode: 0o755 });
        return { kind: "built" };
      },
      say: () => {},
    });
    const url = "https://example.com/releases/v1/";
    const { code, error } = await mcpbTask("--folder", folder, "--url", url);
    assertEquals(code, 0, error);
    const entry = await readJson(`${folder}/server.json`);
    const schema = await readJson(`${ROOT}fixtures/schemas/mcp_server_2025-12-11.schema.json`);
    assertEquals(schemaFaults(schema, entry), null);
    for (const [i, os] of ["linux", "darwin"].entries()) {
      const file = `claude-code-adapter-${os}-arm64.mcpb`;
      const { identifier, fileSha256 } = entry.packages[i];
      assertEquals(identifier, `${url}${file}`);
      const digest = await crypto.subtle.digest(
        "SHA-256",
        await Deno.readFile(`${folder}/${file}`),
      );
      assertEquals(fileSha256, new Uint8Array(digest).toHex());
    }
    await Deno.writeTextFile(
      `${folder}/binaries.json`,
      (await Deno.readTextFile(`${folder}/binaries.json`)).replace(VERSION, "0.0.1"),
    );
    const old = await mcpbTask("--folder", folder);
    assertEquals(old.code, 1);
    assertStringIncludes(old.error, "are of version 0.0.1");
  });
});

Deno.test("the task says so when there is no binary, and ends with 1", async () => {
  await inTempDir(async (folder) => {
    const none = await mcpbTask("--folder", folder);
    assertEquals(none.code, 1);
    assertStringIncludes(none.error, "NOT BUILT: there are no compiled binaries in");
    const named = await mcpbTask("--folder", folder, "--binary", `${folder}/none`);
    assertEquals(named.code, 1);
    assertStringIncludes(named.error, "NOT BUILT: there is no binary");
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  });
});

/** What the official code makes of the bundle, as a host would start it. */
async function hostConfig(
  folder: string,
  userConfig: { readonly [name: string]: string },
): Promise<{ readonly command: string; readonly args: readonly string[] }> {
  const script = `
    const { getMcpConfigForManifest } = await import(process.argv[1]);
    const { readFileSync } = await import("node:fs");
    const [folder, userConfig] = [process.argv[2], JSON.parse(process.argv[3])];
    const manifest = JSON.parse(readFileSync(folder + "/manifest.json", "utf8"));
    const options = { manifest, extensionPath: folder, systemDirs: {}, userConfig, pathSeparator: "/" };
    console.log(JSON.stringify(await getMcpConfigForManifest(options)));
  `;
  const { success, stdout, stderr } = await new Deno.Command("node", {
    args: [
      "--input-type=module",
      "-e",
      script,
      tools.file("@anthropic-ai/mcpb", "dist/index.js"),
      folder,
      JSON.stringify(userConfig),
    ],
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}
