/** A CLI under verification in a folder of its own, and what is left of it afterwards. */
import { assertEquals } from "@std/assert";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { systemClock } from "../../src/host/clock.ts";
import { createLauncher } from "../../src/host/launcher.ts";
import { createLog } from "../../src/host/log.ts";
import { makeScratchFolder } from "../../src/host/scratch_folder.ts";
import { supervisorCommand } from "../../src/host/supervisor_command.ts";
import { Lab } from "../../src/verify/lab.ts";
import type { CheckReport } from "../../src/verify/report.ts";
import { verify } from "../../src/verify/verify.ts";

/** What a stand-in prints for its version. */
export const VERSION_TEXT = "2.1.332 (Claude Code)";

/** A shell program that answers `--version` and does `body` otherwise. */
export async function standIn(path: string, body: string): Promise<void> {
  const version = `[ "$1" = --version ] && { echo "${VERSION_TEXT}"; exit 0; }`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${version}\n${body}\n`, { mode: 0o755 });
}

/** Where a program is verified. */
export interface VerifyPlace {
  readonly executable: string;
  readonly folder: string;
}

/** Runs `body` on the program of this text in an empty folder; no process may be left. */
export async function inPlace(
  program: string,
  body: (place: VerifyPlace) => Promise<void>,
): Promise<void> {
  const root = await makeScratchFolder("adapter-verify-");
  try {
    const executable = `${root}/claude`;
    await standIn(executable, program);
    await Deno.mkdir(`${root}/lab`);
    await body({ executable, folder: `${root}/lab` });
    assertEquals(await leftBehind(root), [], "processes that are left");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Every check, by the program's own way. */
export async function verifyAll(
  { executable, folder }: VerifyPlace,
  { deadlineMs, signal = new AbortController().signal }: {
    readonly deadlineMs?: number;
    readonly signal?: AbortSignal;
  } = {},
): Promise<readonly CheckReport[]> {
  const said: CheckReport[] = [];
  const { checks } = await verify({
    executable,
    folder,
    env: Deno.env.toObject(),
    log: createLog({ level: "error" }),
    signal,
    onCheck: (check) => said.push(check),
    ...(deadlineMs !== undefined && { deadlineMs }),
  });
  assertEquals(said, checks);
  return checks;
}

/** A lab for some experiments alone. */
export function openLab({ executable, folder }: VerifyPlace): Lab {
  const env = Deno.env.toObject();
  return new Lab({
    executable,
    folder,
    env: {},
    signal: new AbortController().signal,
    ports: {
      clock: systemClock,
      launcher: createLauncher({
        log: createLog({ level: "error" }),
        executable,
        env: {},
        supervisor: supervisorCommand(env),
      }),
    },
  });
}
