import { assertEquals } from "@std/assert";
import type { Cleanup } from "../../src/supervision/receipts.ts";
import { fakeClaude } from "../helpers/fake_claude.ts";
import type { FakeBehaviour } from "../helpers/fake_claude.ts";
import { endProcess, isAlive, markedWith, until, waitGone } from "../helpers/processes.ts";

const PROGRAM = new URL("adapter_program.ts", import.meta.url).href;

interface Adapter {
  readonly process: Deno.ChildProcess;
  readonly runId: string;
  /** The first line that has this member. */
  said(member: string): Promise<{ readonly [key: string]: unknown }>;
  end(): Promise<void>;
}

/** Starts the small adapter with what the real one is allowed and nothing else. */
function startAdapter(behaviour: FakeBehaviour, prompt = "stay"): Adapter {
  const runId = crypto.randomUUID();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--allow-run",
      "--allow-env",
      "--allow-read",
      PROGRAM,
      runId,
      fakeClaude(behaviour),
      "--",
      prompt,
    ],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines: { readonly [key: string]: unknown }[] = [];
  let ended = false;
  const reading = (async () => {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      rest += decoder.decode(chunk, { stream: true });
      const whole = rest.split("\n");
      rest = whole.pop()!;
      for (const line of whole) lines.push(JSON.parse(line));
    }
    ended = true;
  })();
  return {
    process: child,
    runId,
    async said(member) {
      await until(() => ended || lines.some((line) => member in line), { what: `'${member}'` });
      const found = lines.find((line) => member in line);
      if (found === undefined) throw new Error(`The adapter ended without '${member}'`);
      return found;
    },
    async end() {
      await child.stdin.close().catch(() => {});
      await child.status;
      await reading;
    },
  };
}

const VICTIMS: readonly FakeBehaviour[] = [
  "slow",
  "setsid_child",
  "double_fork_daemon",
  "group_child",
];
for (const behaviour of VICTIMS) {
  Deno.test(`adapter death: SIGKILL of the adapter leaves nothing of ${behaviour}`, async () => {
    const adapter = startAdapter(behaviour);
    const supervisor = (await adapter.said("supervisor")).supervisor as number;
    await adapter.said("stdout");
    await until(async () =>
      (await markedWith(adapter.runId)).length >= (behaviour === "slow" ? 1 : 2)
    );
    const owned = await markedWith(adapter.runId);
    endProcess(adapter.process.pid);
    await adapter.end();
    await waitGone(supervisor, { ms: 12_000 });
    for (const one of owned) assertEquals(await isAlive(one.pid, one.start), false, one.name);
    assertEquals(await markedWith(adapter.runId), []);
  });
}

Deno.test("adapter death: a supervisor without anybody to tell still climbs to SIGKILL", async () => {
  const adapter = startAdapter("ignores_term");
  const supervisor = (await adapter.said("supervisor")).supervisor as number;
  await adapter.said("stdout");
  endProcess(adapter.process.pid);
  await adapter.end();
  await waitGone(supervisor, { ms: 12_000 });
  assertEquals(await markedWith(adapter.runId), []);
});

Deno.test("adapter death: the permissions of the adapter are enough for a whole run", async () => {
  const adapter = startAdapter("setsid_child", "end");
  assertEquals((await adapter.said("cleanup")).cleanup, {
    confirmed: true,
    retired: 1,
    escalated: false,
    survivors: [],
  });
  await adapter.end();
  assertEquals(await markedWith(adapter.runId), []);
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
  Deno.test(`adapter death: ${signal} to the supervisor stops its run, with receipts`, async () => {
    const adapter = startAdapter("slow");
    const supervisor = (await adapter.said("supervisor")).supervisor as number;
    await adapter.said("stdout");
    endProcess(supervisor, signal);
    // How many it had to signal depends on the moment: the stand-in is nearly always waiting for a child.
    const cleanup = (await adapter.said("cleanup")).cleanup as Cleanup;
    assertEquals([cleanup.confirmed, cleanup.survivors], [true, []]);
    await adapter.end();
    assertEquals(await markedWith(adapter.runId), []);
  });
}
