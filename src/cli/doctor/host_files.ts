/**
 * The configuration files of hosts on this machine: which start this program, and whether they can.
 *
 * @module
 */
import { PROGRAM_NAME } from "../../base/version.ts";
import { readBoundedFile } from "../../host/bounded_file.ts";
import { filesOn, type HostId, HOSTS, placeOf } from "../hosts/host_table.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { type HostServer, readHostServers } from "./host_servers.ts";

/** Claude Code's own file has been seen to grow to some MiB. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** What Deno has to be given in a host's command. */
const NEEDED = ["--allow-run", "--allow-env", "--allow-read"];

/** Where to look. */
export interface HostFilesInput {
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
}

/** One finding for each server that is this program and each file that cannot be read; else one that says so. */
export async function checkHostFiles(input: HostFilesInput): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let looked = 0;
  for (const id of Object.keys(HOSTS) as HostId[]) {
    const host = HOSTS[id];
    for (const file of filesOn(id, Deno.build.os)) {
      const path = placeOf(file, input);
      if (path === null) continue;
      const read = await readBoundedFile(path, MAX_FILE_BYTES);
      if ("problem" in read) {
        if (read.problem === "it does not exist") continue;
        looked++;
        findings.push(
          warning("hosts", `${path} was not looked at: ${read.problem}`, "correct that"),
        );
        continue;
      }
      looked++;
      const text = new TextDecoder().decode(read.bytes);
      const answer = readHostServers(text, { host, cwd: input.cwd });
      if ("fault" in answer) {
        const says = `${host.name} cannot read ${path}: ${answer.fault}`;
        const fix = `correct the file; '${PROGRAM_NAME} config ${id}' prints a whole example`;
        findings.push((answer.mentions ? problem : warning)("hosts", says, fix));
        continue;
      }
      for (const server of answer.servers) {
        findings.push(judgeServer(server, { id, path, ...input }));
      }
    }
  }
  const files = `${looked} configuration file${looked === 1 ? "" : "s"} of hosts`;
  return findings.length > 0 ? findings : [
    ok(
      "hosts",
      `no host starts this program yet (${files} looked at); see '${PROGRAM_NAME} config --help'`,
    ),
  ];
}

interface ServerPlace extends HostFilesInput {
  readonly id: HostId;
  readonly path: string;
}

/** Whether a host can start the server that it has. */
function judgeServer({ name, command, args }: HostServer, place: ServerPlace): Finding {
  const { id, path, env } = place;
  const words = [command, ...args];
  const says = `${HOSTS[id].name} starts this program as '${name}' (${path})`;
  const fix = `put in what '${PROGRAM_NAME} config ${id}' prints`;
  const lost = words.find((word) => word.startsWith("/") && word.endsWith(".ts") && !isFile(word));
  if (lost !== undefined) return problem("hosts", `${says}, but ${lost} is not there`, fix);
  const programs = [command, ...words.filter((word) => word.startsWith("/") && isProgram(word))];
  const missing = programs.find((program) => !canBeFound(program, env));
  if (missing !== undefined) {
    return problem("hosts", `${says}, but there is no program '${missing}'`, fix);
  }
  const isDeno = words.some((word) => /(?:^|\/)deno$/.test(word));
  const given = (flag: string) =>
    words.some((word) => word === flag || word === "-A" || word === "--allow-all");
  const ungranted = isDeno ? NEEDED.filter((flag) => !given(flag)) : [];
  return ungranted.length === 0
    ? ok("hosts", says)
    : problem("hosts", `${says}, but without ${ungranted.join(" ")}`, fix);
}

/** A word of a command line that stands for a program: Deno, or our binary. */
function isProgram(word: string): boolean {
  return /\/(?:deno|claude-code-adapter)$/.test(word);
}

function canBeFound(program: string, env: { readonly [name: string]: string }): boolean {
  if (program.includes("/")) return isFile(program);
  return (env["PATH"] ?? "").split(":").some((folder) =>
    folder.startsWith("/") && isFile(`${folder}/${program}`)
  );
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
