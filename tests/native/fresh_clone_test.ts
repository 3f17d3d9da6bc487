/**
 * What a person does who has never seen this: clone, and run what the README says first. HOME is empty, so Deno has
 * nothing in its cache; npm keeps the cache of this machine, which saves downloading the CLI again.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { documents, ROOT } from "../docs/documents.ts";

/** How the README starts a task from a clone. */
const COMMAND = /^(npx --yes deno@\S+) task demo\b/m;

Deno.test("a fresh clone with an empty HOME does what the README says first", async () => {
  const readme = (await documents()).get("README.md") ?? "";
  const deno = COMMAND.exec(readme)?.[1];
  assert(deno !== undefined, "the README says how to run the demo");
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-clone " }));
  try {
    const env = await emptyHome(`${folder}/home`);
    const clone = `${folder}/clone`;
    const sh = (line: string, cwd: string) => shell(line, { cwd, env });
    await sh(`git -c safe.directory='*' clone --quiet '${ROOT}' '${clone}'`, folder);

    const demo = await sh(`${deno} task demo`, clone);
    assertStringIncludes(demo, "All as promised");

    await sh(`${deno} task bundle --deno '${Deno.execPath()}'`, clone);
    const version = await sh("dist/bundle/claude-code-adapter --version", clone);
    const { version: expected } = JSON.parse(await Deno.readTextFile(`${clone}/deno.json`));
    assertStringIncludes(version, `claude-code-adapter ${expected}\n`);

    assertEquals(await sh("git status --porcelain", clone), "", "the clone is as it was");
    const home = await Array.fromAsync(Deno.readDir(env["HOME"]!), ({ name }) => name);
    assertEquals(
      home.filter((name) => !/^(\.cache|\.npm|\.node_repl_history|Library)$/.test(name)),
      [],
    );
    assertEquals(await leftBehind(folder), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** This environment with an empty HOME: what Deno and the shell would find by it is gone, and npm keeps its cache. */
async function emptyHome(home: string): Promise<Record<string, string>> {
  await Deno.mkdir(home);
  const kept = Object.entries(Deno.env.toObject()).filter(([name]) =>
    !/^(npm_|DENO_|XDG_|CLAUDE_|ANTHROPIC_)/i.test(name)
  );
  const [cache, registry] = await Promise.all(["cache", "registry"].map(npmConfig));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    NO_COLOR: "1",
    npm_config_cache: cache!,
    NPM_CONFIG_REGISTRY: registry!,
    npm_config_update_notifier: "false",
  };
}

async function npmConfig(name: string): Promise<string> {
  const { stdout } = await new Deno.Command("npm", { args: ["config", "get", name] }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** Runs a line of the shell to its end; what it printed. */
async function shell(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", line],
    cwd,
    clearEnv: true,
    env,
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stdout);
  assertEquals(code, 0, `${line}: ${said}${new TextDecoder().decode(stderr)}`);
  return said;
}
