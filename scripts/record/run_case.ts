/** Runs one case on the real CLI and gives back what it printed. */

import { answer, nativeEnv, type Script, startLoopbackModel } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";
import { neutral } from "./neutral.ts";

/** One recorded run. */
export interface Recording {
  readonly stdout: string;
  readonly stderr: string;
  readonly argv: readonly string[];
  readonly exitCode: number;
  readonly signal: Deno.Signal | null;
  /** How many messages the model was asked for. */
  readonly requests: number;
}

type Run = Omit<Case, "name" | "note" | "before">;

/**
 * Runs a case in a fresh HOME.
 *
 * @param wanted The case.
 * @param binary Absolute path of the real CLI.
 * @returns What the last run printed, neutralised.
 */
export async function runCase(wanted: Case, binary: string): Promise<Recording> {
  const home = await Deno.makeTempDir({ prefix: "claude-record-" });
  try {
    const project = `${home}/project`;
    await Deno.mkdir(project);
    for (const run of wanted.before ?? []) await runOnce(run, binary, home);
    return await runOnce(wanted, binary, home);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** The argv of a run, without the program: every recording starts from the same base. */
export function argvOf(run: Run): readonly string[] {
  const argv = ["-p", "--output-format=stream-json", "--verbose"];
  if (run.partial ?? true) argv.push("--include-partial-messages");
  argv.push(`--permission-mode=${run.mode ?? "dontAsk"}`, ...run.args ?? []);
  return [...argv, "--", run.prompt ?? "say hello"];
}

async function runOnce(run: Run, binary: string, home: string): Promise<Recording> {
  const project = `${home}/project`;
  for (const [path, content] of Object.entries(run.files ?? {})) {
    await Deno.writeTextFile(`${project}/${path}`, content);
  }
  const script: Script = typeof run.script === "function"
    ? run.script(project)
    : [answer("Hello there.")];
  await using model = startLoopbackModel({ script });
  if (run.script === "refused") await model.close();
  const argv = argvOf(run);
  const { signal } = run;
  const made = signal !== undefined && "made" in signal
    ? madeFile(project, signal.made)
    : undefined;
  const child = new Deno.Command(binary, {
    args: [...argv],
    cwd: project,
    clearEnv: true,
    env: nativeEnv({
      home,
      url: model.url,
      ...(run.loggedIn === false ? { apiKey: undefined } : {}),
      extra: { ...run.env },
    }),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const killed = made?.then(() => child.kill(signal?.name));
  const [stdout, stderr, status] = await Promise.all([
    readAll(child, run.signal),
    new Response(child.stderr).text(),
    child.status,
    killed,
  ]);
  const machine = { home, binary, url: model.url };
  return {
    stdout: neutral(stdout, machine),
    stderr: neutral(stderr, machine),
    argv,
    exitCode: status.code,
    signal: status.signal,
    requests: model.messages.length,
  };
}

async function readAll(child: Deno.ChildProcess, signal: Case["signal"]): Promise<string> {
  let read = "";
  let sent = false;
  for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) {
    read += part;
    if (sent || signal === undefined || !("printed" in signal)) continue;
    if (!read.includes(signal.printed)) continue;
    sent = true;
    child.kill(signal.name);
  }
  return read;
}

/** Tells when a file appears in a folder: a foreground tool prints nothing when it starts. */
async function madeFile(folder: string, name: string): Promise<void> {
  using watcher = Deno.watchFs(folder, { recursive: false });
  for await (const event of watcher) {
    if (event.paths.some((path) => path.endsWith(`/${name}`))) return;
  }
}
