import { assert, assertEquals } from "@std/assert";
import { encodeUtf8 } from "../../src/base/json.ts";
import { WIRE_VERSION } from "../../src/base/limits.ts";
import { supervisorCommand } from "../../src/host/supervisor_command.ts";
import type { Job } from "../../src/supervision/job.ts";
import { MARKER_NAME } from "../../src/supervision/marker.ts";
import { parseReceipt } from "../../src/supervision/receipts.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";

/** A process that carries the token of a run whose adapter had its pid, and started at another time. */
async function startHeir(token: (pid: number) => string) {
  const child = new Deno.Command("/bin/sh", {
    args: ["-c", `read -r token; export ${MARKER_NAME}="$token"; echo ready; exec sleep 600`],
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(encodeUtf8(`${token(child.pid)}\n`));
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  await writer.close();
  return child;
}

Deno.test("a process of a run that got the pid of its dead adapter is ended like any other", async () => {
  const runId = crypto.randomUUID();
  const token = (pid: number) => `0.${pid}.1.${runId}`;
  const heir = await startHeir(token);
  const { program, args, env } = supervisorCommand(Deno.env.toObject());
  const supervisor = new Deno.Command(program, {
    args: [...args],
    clearEnv: true,
    env: { ...env },
    detached: true,
    stdin: "piped",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  try {
    const marker = { name: MARKER_NAME, value: token(heir.pid) };
    const job: Job = {
      wire: WIRE_VERSION,
      supervisor_pid: supervisor.pid,
      executable: fakeClaude("ok"),
      argv: ["--", "end"],
      stdin: null,
      env: { PATH: Deno.env.get("PATH") ?? "", [MARKER_NAME]: marker.value },
      checks: [],
      marker,
    };
    const lifeline = supervisor.stdin.getWriter();
    await lifeline.write(encodeUtf8(`${JSON.stringify(job)}\n`));
    const said = await new Response(supervisor.stderr).text();
    await lifeline.close().catch(() => {});
    await supervisor.status;
    const receipts = said.trimEnd().split("\n").map(parseReceipt);
    const last = receipts.at(-1);
    assert(last?.receipt === "cleanup", said);
    assertEquals([last.cleanup.confirmed, last.cleanup.retired], [true, 1]);
  } finally {
    try {
      heir.kill("SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
  assertEquals((await heir.status).signal, "SIGTERM");
});
