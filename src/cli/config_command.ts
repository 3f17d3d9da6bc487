/**
 * The `config` command: what to put into a host's configuration, and where.
 *
 * @module
 */
import { resolve } from "node:path";
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { locateExecutable } from "../host/locate.ts";
import { USAGE_EXIT } from "./commands.ts";
import { EXECUTABLE_PATH, readFlags, shown } from "./flags.ts";
import { filesOn, type HostId, HOSTS, isHostId } from "./hosts/host_table.ts";
import { runningProgram } from "./host_command.ts";
import { LAUNCH_SOURCES, launchCommand, type LaunchSource, sourceOf } from "./hosts/launch.ts";
import { snippet } from "./hosts/snippet.ts";
import { answer, OUTPUT_EXITS_HELP, say, sayUsage } from "./say.ts";

/** The text of `config --help`. */
export const help: string = `${PROGRAM_NAME} config HOST [options]

Prints what to put into the MCP configuration of a host, and on standard error where that file is
and what to do next. Nothing is written.

Hosts:
${hostLines()}
Options:
  --from source|jsr|binary    how the host starts this program (default: as it was started now)
  --executable ABSOLUTE_PATH  the claude that runs use (default: for desktop programs, which do not
                              have the PATH of your shell, the one that is found now)
  --project FOLDER            the folder that runs work in (default: where the host starts servers)
  --json                      print one JSON object instead

Exit codes:
  0    printed
  2    wrong usage, or it cannot be told how a host starts this program
${OUTPUT_EXITS_HELP}`;

/** What `--json` prints. */
export interface ConfigReport {
  readonly format_version: 1;
  readonly host: HostId;
  readonly name: string;
  readonly from: LaunchSource;
  /** What the snippet is. */
  readonly format: "json" | "jsonc" | "toml";
  readonly snippet: string;
  /** Where it goes on this system: `~` is the home; other relative paths start from a project. */
  readonly files: readonly { readonly scope: string; readonly path: string }[];
  readonly next: readonly string[];
}

/** Prints the snippet; resolves to the exit code. */
export function run(args: readonly string[]): Promise<number> {
  return Promise.resolve(print(args));
}

function print(args: readonly string[]): number {
  const read = readFlags(
    {
      "--from": { kind: "choice", of: LAUNCH_SOURCES },
      "--executable": EXECUTABLE_PATH,
      "--project": { kind: "value", what: "a folder" },
      "--json": { kind: "switch" },
    },
    args,
    1,
  );
  if (!read.ok) return sayUsage("config", read.message);
  const [id] = read.operands;
  const names = Object.keys(HOSTS).join(", ");
  if (id === undefined) return sayUsage("config", `name a host: ${names}`);
  if (!isHostId(id)) {
    return sayUsage("config", `there is no host '${shown(id)}'; there are ${names}`);
  }
  const configured = read.values.get("--executable");
  if (configured !== undefined && !configured.startsWith("/")) {
    return sayUsage("config", "--executable needs an absolute path");
  }
  const program = runningProgram();
  const from = (read.values.get("--from") ?? sourceOf(program)) as LaunchSource;
  const launch = launchCommand(from, program);
  if (launch === null) {
    say(
      Deno.stderr,
      `${PROGRAM_NAME} does not run from source, so where that is cannot be told; ` +
        "run it from a checkout, or use --from jsr or --from binary\n",
    );
    return USAGE_EXIT;
  }
  const project = read.values.get("--project");
  if (project !== undefined && id === "computer-mcp") {
    return sayUsage(
      "config",
      `${HOSTS[id].name} decides where servers run, so leave out --project`,
    );
  }
  const found = configured ?? (HOSTS[id].desktop ? foundExecutable() : null);
  const report: ConfigReport = {
    format_version: 1,
    host: id,
    name: HOSTS[id].name,
    from,
    format: HOSTS[id].format,
    snippet: snippet(id, {
      launch,
      from,
      executable: found,
      project: project === undefined ? null : resolve(project),
      version: VERSION,
    }),
    files: filesOn(id, Deno.build.os).map(({ scope, path }) => ({ scope, path })),
    next: [
      ...HOSTS[id].next,
      ...(from === "binary" && !program.standalone
        ? ["Name the binary with its absolute path when the host does not find it."]
        : []),
      ...(HOSTS[id].desktop && found === null
        ? [
          "No claude was found here: install Claude Code and run this again, or give --executable.",
        ]
        : []),
      `'${PROGRAM_NAME} doctor' tells whether everything is in place.`,
    ],
  };
  if (read.values.has("--json")) {
    return answer("config", `${JSON.stringify(report, null, 2)}\n`) ?? 0;
  }
  say(Deno.stderr, guide(report));
  return answer("config", report.snippet) ?? 0;
}

function guide({ name, files, next }: ConfigReport): string {
  const places = files.map(({ scope, path }) => `  ${path}  (${scope})\n`).join("");
  const steps = next.map((step, i) => `  ${i + 1}. ${step}\n`).join("");
  return `For ${name}, in one of:\n${places}Then:\n${steps}\n`;
}

function foundExecutable(): string | null {
  try {
    return locateExecutable({ env: Deno.env.toObject() });
  } catch {
    return null; // what is wrong with it is for doctor to say
  }
}

function hostLines(): string {
  return Object.entries(HOSTS).map(([id, { name }]) => `  ${id.padEnd(15)} ${name}\n`).join("");
}
