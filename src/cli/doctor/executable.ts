/**
 * The native CLI: where it is, how it was found, which version it is, and whether runs admit it.
 *
 * @module
 */
import { toAdapterError } from "../../base/errors.ts";
import { cutText } from "../../base/json.ts";
import { MAX_VERSION_OUTPUT_BYTES, VERSION_CHECK_MS } from "../../base/limits.ts";
import { PROGRAM_NAME } from "../../base/version.ts";
import { systemClock, within } from "../../host/clock.ts";
import { EXECUTABLE_VARIABLE } from "../../host/locate.ts";
import { systemWords } from "../../host/file_fault.ts";
import { sendSignal } from "../../host/signals.ts";
import { CANNOT_START_CODES, startWatched, type WatchedChild } from "../../host/watched_child.ts";
import type { AcceptedOutput } from "../../supervision/job.ts";
import type { HostPorts } from "../../library/host_ports.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** What is configured. */
export interface ExecutableInput {
  readonly ports: HostPorts;
  /** The value of `--executable`, or `null`. */
  readonly configured: string | null;
}

/** Where it is, and what it is. */
export async function checkExecutable(input: ExecutableInput): Promise<readonly Finding[]> {
  const { ports, configured } = input;
  let path: string;
  try {
    path = ports.launcher.locate();
  } catch (caught) {
    const fix =
      "install Claude Code ('npm install -g @anthropic-ai/claude-code'), or name it with " +
      `--executable or ${EXECUTABLE_VARIABLE}`;
    return [problem("executable", toAdapterError(caught).message.split(". ")[0]!, fix)];
  }
  const how = configured !== null
    ? "named by --executable"
    : (ports.env[EXECUTABLE_VARIABLE] ?? "") !== ""
    ? `named by ${EXECUTABLE_VARIABLE}`
    : "the first on PATH";
  return [ok("executable", `${path}, ${how}`), await checkVersion(path, ports)];
}

async function checkVersion(path: string, { admission, env }: HostPorts): Promise<Finding> {
  const checks = await admission.checks(path);
  const accepts = checks.find(({ args }) => args.join(" ") === "--version")?.accepts ?? [];
  const said = await askVersion(path, env);
  if ("fault" in said) {
    return problem(
      "version",
      `'${path} --version' ${said.fault}`,
      "run it in a terminal to see what is wrong, and install Claude Code again",
    );
  }
  return judgeVersion(said.stdout, accepts);
}

/** What a version output means, given what runs accept. */
export function judgeVersion(stdout: string, accepts: readonly AcceptedOutput[]): Finding {
  const text = cutText(stdout.trim(), 200);
  const accepted = accepts.find((one) => one.stdout === stdout);
  const pinned = accepts.find(({ by }) => by === "tree")?.stdout.trim() ?? "another version";
  switch (accepted?.by) {
    case "tree":
      return ok("version", `${text}, admitted by the tree: the version this program was made for`);
    case "receipt":
      return ok("version", `${text}, admitted by a receipt of verify for exactly this file`);
    case "override":
      return warning(
        "version",
        `${text}, admitted by --accept-native-version alone, without proof`,
        `prove it with '${PROGRAM_NAME} verify'`,
      );
    default:
      return problem(
        "version",
        `${
          text === "" ? "it prints no version" : text
        }, admitted by none: this program was made for ${pinned}`,
        `prove this one with '${PROGRAM_NAME} verify', or install ${pinned.split(" ")[0]}: ` +
          `npm install -g @anthropic-ai/claude-code@${pinned.split(" ")[0]}`,
      );
  }
}

/** Runs `--version`, in a group of its own so that all of it can be ended. Never rejects. */
async function askVersion(
  path: string,
  env: { readonly [name: string]: string },
): Promise<{ readonly stdout: string } | { readonly fault: string }> {
  let watched: WatchedChild;
  try {
    watched = startWatched(path, { args: ["--version"], env, stderr: "null" });
  } catch (caught) {
    return { fault: `cannot be started: ${systemWords(caught)}` };
  }
  const { child } = watched;
  const output = readBounded(child.stdout);
  const ended = await within(systemClock, VERSION_CHECK_MS, Promise.all([child.status, output]));
  if (ended === null) {
    sendSignal(-child.pid, "SIGKILL");
    await child.status;
    return { fault: `did not end within ${VERSION_CHECK_MS / 1_000} s` };
  }
  await watched.release();
  const [{ code, signal }, stdout] = ended;
  if (stdout === null) return { fault: `printed more than ${MAX_VERSION_OUTPUT_BYTES} bytes` };
  if (signal !== null) return { fault: `was ended by ${signal}` };
  if (CANNOT_START_CODES.includes(code)) return { fault: `cannot be started (code ${code})` };
  return code === 0 ? { stdout } : { fault: `ended with code ${code}` };
}

/** `null` when there is more than a version may be. */
async function readBounded(stream: ReadableStream<Uint8Array>): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_VERSION_OUTPUT_BYTES) return null;
  }
  return text + decoder.decode();
}
