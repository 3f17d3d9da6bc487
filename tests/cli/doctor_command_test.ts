import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { DoctorReport, Finding } from "../../src/cli/doctor/finding.ts";
import { createProcessTable } from "../../src/host/process_table.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";
import { makePlace, type Place } from "../../scripts/support/place.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import { adapterCommand } from "../helpers/mcp_client.ts";
import { holdOpen, isAlive, until } from "../helpers/processes.ts";
import { runProgram, sourceTest, startProgram } from "../helpers/program.ts";
import { cleanEnv } from "./adapter.ts";

interface Looked {
  readonly code: number;
  readonly stderr: string;
  readonly report: DoctorReport;
  /** The findings of one check. */
  of(check: string): readonly Finding[];
}

async function doctor(
  place: Place,
  { env = {}, args = [] }: { env?: Record<string, string>; args?: readonly string[] } = {},
): Promise<Looked> {
  const { code, stdout, stderr } = await runProgram(["doctor", "--json", ...args], {
    env: cleanEnv({
      DENO_DIR,
      HOME: place.home,
      CLAUDE_CONFIG_DIR: place.config,
      ...env,
    }),
    cwd: place.project,
  });
  const report: DoctorReport = JSON.parse(stdout);
  return {
    code,
    stderr,
    report,
    of: (check) => report.findings.filter((finding) => finding.check === check),
  };
}

const DENO_DIR = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;

const CHECKS = [
  "permissions",
  "executable",
  "version",
  "login",
  "config folder",
  "state folder",
  "processes",
  "tools",
  "lost runs",
  "hosts",
];

Deno.test("doctor finds nothing wrong with a set-up that works, and changes nothing", async () => {
  await using place = await makePlace({ prefix: "adapter-doctor-" });
  const { code, report, of, stderr } = await doctor(place, {
    args: [`--executable=${fakeClaude("ok")}`],
    env: { ANTHROPIC_API_KEY: "made-up" },
  });
  assertEquals([code, report.status, stderr], [0, "ok", ""], JSON.stringify(report));
  assertEquals(report.findings.map(({ check }) => check), CHECKS);
  assertStringIncludes(of("executable")[0]!.says, "named by --executable");
  assertStringIncludes(of("login")[0]!.says, "ANTHROPIC_API_KEY is set");
  assert(!JSON.stringify(report).includes("made-up"), "the value of a key");
  for (const folder of [place.home, place.config, place.project]) {
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  }
});

Deno.test("doctor says how the executable was found, and what is wrong with it", async () => {
  await using place = await makePlace({ prefix: "adapter-doctor-" });
  const cases: readonly (readonly [string, Record<string, string>, string, string])[] = [
    ["ok", {}, "executable", "the first on PATH"],
    ["missing", { PATH: "/usr/bin:/bin" }, "executable", "There is no 'claude' on PATH"],
    [
      "variable",
      { CLAUDE_CODE_EXECUTABLE: fakeClaude("ok") },
      "executable",
      "CLAUDE_CODE_EXECUTABLE",
    ],
    [
      "relative",
      { CLAUDE_CODE_EXECUTABLE: "bin/claude" },
      "executable",
      "must be an absolute path",
    ],
    [
      "wrong",
      { CLAUDE_CODE_EXECUTABLE: fakeClaude("wrong_version") },
      "version",
      "admitted by none",
    ],
    [
      "fails",
      { CLAUDE_CODE_EXECUTABLE: fakeClaude("version_fails") },
      "version",
      "ended with code",
    ],
    ["floods", { CLAUDE_CODE_EXECUTABLE: fakeClaude("version_floods") }, "version", "printed more"],
  ];
  const bin = `${place.root}/bin`;
  await Deno.mkdir(bin);
  await Deno.writeTextFile(`${bin}/claude`, `#!/bin/sh\nexec "${fakeClaude("ok")}" "$@"\n`, {
    mode: 0o755,
  });
  for (const [what, env, check, says] of cases) {
    const path = `${bin}:${Deno.env.get("PATH")}`;
    const { of, code } = await doctor(place, { env: { PATH: path, ...env } });
    const [finding] = of(check);
    assertStringIncludes(finding!.says, says, what);
    const isFine = what === "ok" || what === "variable";
    assertEquals([finding!.status, code], isFine ? ["ok", 0] : ["problem", 1], what);
  }
});

Deno.test("--accept-native-version is a warning, and doctor still ends with 0", async () => {
  await using place = await makePlace({ prefix: "adapter-doctor-" });
  const run = await new Deno.Command(fakeClaude("wrong_version"), { args: ["--version"] }).output();
  const text = new TextDecoder().decode(run.stdout).trim();
  const { code, report, of } = await doctor(place, {
    args: [`--executable=${fakeClaude("wrong_version")}`, "--accept-native-version", text],
  });
  assertEquals([code, report.status, of("version")[0]!.status], [0, "warning", "warning"]);
});

sourceTest("doctor finds the hosts that start this program, and says which cannot", async () => {
  await using place = await makePlace({ prefix: "adapter-doctor-" });
  const [deno = "", ...words] = adapterCommand();
  const entry = (command: string, args: readonly string[]) =>
    JSON.stringify({ mcpServers: { mine: { command, args, env: { KEY: "secret" } } } });
  const gone = words.map((word) => word.endsWith("mod.ts") ? "/gone/mod.ts" : word);
  const files: Record<string, string> = {
    [`${place.project}/.mcp.json`]: entry(deno, [...words, "serve"]),
    [`${place.home}/.cursor/mcp.json`]: entry(deno, [...gone, "serve"]),
    [`${place.home}/.gemini/settings.json`]: entry("/gone/claude-code-adapter", ["serve"]),
    [`${place.home}/.codeium/windsurf/mcp_config.json`]: entry(deno, [
      "run",
      words.at(-1)!,
      "serve",
    ]),
    [`${place.project}/.cursor/mcp.json`]: `{"mcpServers": {"secret": claude-code-adapter`,
    [`${place.project}/.gemini/settings.json`]: `{"other": "secret"`,
    [`${place.home}/.codex/config.toml`]: `[mcp_servers.mine]\ncommand = "${deno}"\nargs = ${
      JSON.stringify([...words, "serve"])
    }\n`,
  };
  for (const [path, text] of Object.entries(files)) {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  const { of, code, report } = await doctor(place, { args: [`--executable=${fakeClaude("ok")}`] });
  const about = (path: string) => of("hosts").find(({ says }) => says.includes(path))!;
  const expected: readonly (readonly [string, Finding["status"], string])[] = [
    ["project/.mcp.json", "ok", "Claude Code starts this program as 'mine'"],
    [".codex/config.toml", "ok", "Codex starts this program as 'mine'"],
    ["home/.cursor/mcp.json", "problem", "/gone/mod.ts is not there"],
    ["home/.gemini/settings.json", "problem", "no program '/gone/claude-code-adapter'"],
    ["windsurf/mcp_config.json", "problem", "without --allow-run --allow-env --allow-read"],
    ["project/.cursor/mcp.json", "problem", "it is not JSON"],
    ["project/.gemini/settings.json", "warning", "it is not JSON"],
  ];
  assertEquals(of("hosts").length, expected.length, JSON.stringify(of("hosts"), null, 1));
  for (const [path, status, says] of expected) {
    assertEquals(about(path).status, status, path);
    assertStringIncludes(about(path).says, says);
  }
  assertEquals(code, 1);
  assert(!JSON.stringify(report).includes("secret"), "what else is in such files");
});

Deno.test("doctor names what a run of an adapter that is gone has left, and ends nothing", async () => {
  await using place = await makePlace({ prefix: "adapter-doctor-" });
  const { namespace } = await createProcessTable().self();
  const runId = crypto.randomUUID();
  // There is a process of this id, but it did not start then: the adapter that had it is gone.
  await using left = await holdOpen(`${place.root}/held`, {
    [MARKER_NAME]: `${namespace}.${Deno.pid}.1.${runId}`,
  });
  const { of, code } = await doctor(place, { args: [`--executable=${fakeClaude("ok")}`] });
  const [finding] = of("lost runs");
  assertEquals([finding?.status, code], ["warning", 0]);
  assertStringIncludes(finding?.says ?? "", `${runId} (process ${left.pid})`);
  assert(await isAlive(left.pid, left.start), "it was looked at, not ended");
});

sourceTest("doctor without its permissions says so, and wrong usage is 2", async () => {
  const [program = ""] = adapterCommand();
  const entry = adapterCommand().at(-1)!;
  const { code, stdout } = await new Deno.Command(program, {
    args: ["run", "--quiet", "--no-prompt", "--allow-env", entry, "doctor"],
    clearEnv: true,
    env: cleanEnv(),
  }).output();
  const text = new TextDecoder().decode(stdout);
  assertEquals(code, 1);
  assertStringIncludes(text, "problem  permissions  claude-code-adapter cannot serve without");
  assertStringIncludes(text, "fix: start it with 'deno run --allow-run --allow-env --allow-read'");
  const wrong = await runProgram(["doctor", "--fix"], { env: cleanEnv() });
  assertEquals([wrong.code, wrong.stdout], [2, ""]);
  assertStringIncludes(wrong.stderr, "there is no option '--fix'");
});

for (const signal of ["SIGINT", "SIGKILL"] as const) {
  Deno.test(`${signal} ends doctor and the version that it asks for`, async () => {
    await using place = await makePlace({ prefix: "adapter-doctor-" });
    const executable = `${place.project}/claude`;
    await Deno.writeTextFile(executable, '#!/bin/sh\necho $$ > "$0.pid"\nexec sleep 300\n', {
      mode: 0o755,
    });
    const program = startProgram(["doctor", `--executable=${executable}`], {
      env: cleanEnv({ HOME: place.home, DENO_DIR }),
    });
    const pidOf = async () =>
      Number(await Deno.readTextFile(`${executable}.pid`).catch(() => "") || NaN);
    await until(async () => !Number.isNaN(await pidOf()));
    Deno.kill(program.pid, signal);
    await program.ended;
    const pid = await pidOf();
    await until(async () => !await isAlive(pid));
  });
}
