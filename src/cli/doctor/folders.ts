/**
 * The folders that this program and the CLI keep things in.
 *
 * @module
 */
import { PROGRAM_NAME } from "../../base/version.ts";
import { askShell } from "../../host/shell_answer.ts";
import { stateFolder } from "../../host/state_folder.ts";
import { systemPath } from "../../host/system_path.ts";
import { readVerifications } from "../../host/verification_store.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

type Env = { readonly [name: string]: string };

/** What a folder is like. */
export interface FolderState {
  readonly path: string;
  readonly exists: boolean;
  /** It can be written to; when it does not exist, whether it could be made. */
  readonly writable: boolean;
}

/** The folder in which the CLI keeps its configuration, its log-in and its conversations; `null` without a home. */
export function configFolder(env: Env): string | null {
  const named = env["CLAUDE_CONFIG_DIR"] ?? "";
  if (named !== "") return named;
  const home = env["HOME"] ?? "";
  return home.startsWith("/") ? `${home.replace(/\/+$/, "")}/.claude` : null;
}

/** Asks about a folder; nothing is written. */
export async function lookAtFolder(path: string, env: Env): Promise<FolderState> {
  let place = path;
  while (place !== "/" && place !== "" && !exists(place)) {
    place = place.slice(0, place.lastIndexOf("/")) || "/";
  }
  const { ok: writable } = await askShell('[ -d "$1" ] && [ -w "$1" ] && [ -x "$1" ]', {
    args: [place],
    path: systemPath(env["PATH"]),
  });
  return { path, exists: place === path, writable };
}

/** The CLI's own folder. */
export function judgeConfigFolder(state: FolderState | null): Finding {
  if (state === null) {
    return problem(
      "config folder",
      "there is no HOME, so the CLI has no place for its configuration and conversations",
      "set HOME or CLAUDE_CONFIG_DIR to an absolute path",
    );
  }
  if (!state.path.startsWith("/")) {
    return problem(
      "config folder",
      `CLAUDE_CONFIG_DIR is '${state.path}', which means another folder in every directory`,
      "set CLAUDE_CONFIG_DIR to an absolute path",
    );
  }
  if (!state.writable) {
    return problem(
      "config folder",
      `${state.path} cannot be ${
        state.exists ? "written to" : "made"
      }, so no conversation can be kept or resumed`,
      `give it to this user, or point CLAUDE_CONFIG_DIR at a folder that is`,
    );
  }
  return ok(
    "config folder",
    state.exists
      ? `${state.path} can be written to`
      : `${state.path} does not exist yet and can be made`,
  );
}

/** This program's own state: receipts of verify. */
export async function checkStateFolder(env: Env): Promise<Finding> {
  const path = stateFolder(env, Deno.build.os);
  if (path === null) {
    return warning(
      "state folder",
      "there is no place for receipts of verify",
      "set HOME or XDG_STATE_HOME to an absolute path",
    );
  }
  const { verifications, ignored } = await readVerifications(path);
  const [first] = ignored;
  if (first !== undefined) {
    const others = ignored.length === 1 ? "" : `, and ${ignored.length - 1} more`;
    return warning(
      "state folder",
      `${first.path} is ignored: ${first.reason}${others}`,
      `remove or correct it, then run '${PROGRAM_NAME} verify' again`,
    );
  }
  const state = await lookAtFolder(path, env);
  if (!state.writable) {
    return warning(
      "state folder",
      `${path} cannot be ${
        state.exists ? "written to" : "made"
      }, so verify cannot keep its receipts`,
      "give it to this user, or point XDG_STATE_HOME at a folder that is",
    );
  }
  return ok(
    "state folder",
    state.exists
      ? `${path} is usable, with ${verifications.length} receipt${
        verifications.length === 1 ? "" : "s"
      }`
      : `${path} does not exist yet; verify makes it`,
  );
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (caught) {
    return !(caught instanceof Deno.errors.NotFound || caught instanceof Deno.errors.NotADirectory);
  }
}
