import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { MAX_FORWARDED_STDERR_BYTES, MAX_STDERR_TAIL_BYTES } from "../../src/base/limits.ts";
import { launchFake, VERSION_CHECK } from "../helpers/launch.ts";
import type { FakeRun } from "../helpers/launch.ts";
import type { AcceptedOutput, AdmittedBy, ExecutableCheck } from "../../src/supervision/job.ts";
import { FAKE_VERSION_OUTPUT, type FakeBehaviour } from "../helpers/fake_claude.ts";
import { holdOpen, isAlive, liveProcesses, markedWith } from "../helpers/processes.ts";

const kinds = (run: FakeRun) => run.receipts.map((receipt) => receipt.receipt);
/** For stand-ins that nearly always wait for a child: how many had to be signalled depends on the moment. */
async function assertEnded(run: FakeRun): Promise<void> {
  const cleanup = await run.finish();
  assertEquals([cleanup?.confirmed, cleanup?.survivors], [true, []]);
}

const CLEAN = { confirmed: true, retired: 0, escalated: false, survivors: [] };

/** Nothing carries the run's marker, and its supervisor is gone. */
async function assertNothingLeft(run: FakeRun): Promise<void> {
  assertEquals(await markedWith(run.runId), []);
  assertEquals(await isAlive(run.supervised.pid), false);
}

Deno.test("supervise: a run that answers gives its receipts in order and leaves nothing", async () => {
  const run = await launchFake("ok");
  assertEquals(await run.finish(), CLEAN);
  assertEquals(kinds(run), ["accepted", "version", "started", "exit", "stderr_tail", "cleanup"]);
  const exit = await run.receipt("exit");
  assertEquals([exit.code, exit.signal], [0, null]);
  assertEquals(run.frames().map((frame) => frame.type), ["system", "assistant", "result"]);
  await assertNothingLeft(run);
  assertEquals(await run.supervised.recover(), CLEAN, "looking again finds the same");
});

const ENDS: readonly (readonly [FakeBehaviour, number, string | null])[] = [
  ["exit_7", 7, null],
  ["crash_signal", 139, "SIGSEGV"],
];
for (const [behaviour, code, signal] of ENDS) {
  Deno.test(`supervise: the end of ${behaviour} is told as it was`, async () => {
    const run = await launchFake(behaviour);
    assertEquals(await run.finish(), CLEAN);
    const exit = await run.receipt("exit");
    assertEquals([exit.code, exit.signal], [code, signal]);
    await assertNothingLeft(run);
  });
}

interface BadCheck {
  readonly behaviour: FakeBehaviour;
  readonly detail: RegExp;
  readonly retired: number;
}
const BAD_CHECKS: readonly BadCheck[] = [
  { behaviour: "wrong_version", detail: /^its output differs$/, retired: 0 },
  { behaviour: "version_and_more", detail: /^its output differs$/, retired: 0 },
  {
    behaviour: "version_fails",
    detail: /^it ended with code 3: cannot load something$/,
    retired: 0,
  },
  { behaviour: "version_floods", detail: /^it printed more than 65536 bytes$/, retired: 0 },
  { behaviour: "version_hangs", detail: /^it did not end within 5 s$/, retired: 1 },
];
for (const { behaviour, detail, retired } of BAD_CHECKS) {
  Deno.test(`supervise: ${behaviour} starts nothing`, async () => {
    const run = await launchFake(behaviour);
    const cleanup = await run.finish();
    assertEquals(kinds(run), ["accepted", "version", "cleanup"]);
    const version = await run.receipt("version");
    assertEquals(version.ok, false);
    assertMatch(version.detail, detail);
    assert(version.stdout.length <= 1_024);
    assertEquals(cleanup?.confirmed, true);
    assert((cleanup?.retired ?? 0) >= retired);
    assertEquals(run.stdout(), "");
    await assertNothingLeft(run);
  });
}

Deno.test("supervise: a stop during the version check ends the probe and what it started", async () => {
  const run = await launchFake("version_hangs");
  let probes = await markedWith(run.runId);
  while (probes.length < 2) probes = await markedWith(run.runId);
  run.supervised.stop();
  const cleanup = await run.finish();
  assertEquals(kinds(run), ["accepted", "version", "cleanup"]);
  assertEquals((await run.receipt("version")).detail, "the run was stopped meanwhile");
  assertEquals(cleanup?.confirmed, true);
  for (const probe of probes) assertEquals(await isAlive(probe.pid, probe.start), false);
  await assertNothingLeft(run);
});

Deno.test("supervise: without checks the run starts at once", async () => {
  const run = await launchFake("wrong_version", { checks: [] });
  assertEquals(await run.finish(), CLEAN);
  assertEquals((await run.receipt("exit")).code, 0);
});

Deno.test("supervise: what cannot be started says why", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/plain`, "no program\n", { mode: 0o644 });
    const cases = {
      missing: "not_found",
      plain: "not_executable",
    };
    for (const [name, fault] of Object.entries(cases)) {
      for (const checks of [[], [VERSION_CHECK]]) {
        const run = await launchFake("ok", { executable: `${folder}/${name}`, checks });
        assertEquals(await run.finish(), CLEAN);
        const expected = ["spawn_failed", "cleanup"];
        assertEquals(
          kinds(run),
          checks.length === 0 ? ["accepted", "version", ...expected] : ["accepted", ...expected],
        );
        assertEquals((await run.receipt("spawn_failed")).fault, fault);
      }
    }
    const run = await launchFake("ok", { argv: ["x".repeat(131_072)] });
    assertEquals(await run.finish(), CLEAN);
    assertEquals((await run.receipt("spawn_failed")).fault, "too_large");
    assertEquals(kinds(run), ["accepted", "version", "spawn_failed", "cleanup"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("supervise: an argument of 131,071 bytes goes through", async () => {
  const run = await launchFake("echo_args", { argv: ["é".repeat(65_535) + "x"] });
  assertEquals(await run.finish(), CLEAN);
  const answer = JSON.parse(
    run.frames().find((frame) => frame.type === "result")!.result as string,
  );
  assertEquals([answer.length, answer[0].length], [1, 65_536]);
});

Deno.test("supervise: stdin of 1 MB arrives whole, and nobody has to read it", async () => {
  const stdin = "é".repeat(500_000);
  const read = await launchFake("reads_stdin", { stdin });
  assertEquals(await read.finish(), CLEAN);
  assertEquals(read.frames().find((frame) => frame.type === "result")?.result, "1000000");
  const unread = await launchFake("ignores_stdin", { stdin });
  assertEquals(await unread.finish(), CLEAN);
  assertEquals((await unread.receipt("exit")).code, 0);
  const none = await launchFake("reads_stdin");
  assertEquals(await none.finish(), CLEAN);
  assertEquals(none.frames().find((frame) => frame.type === "result")?.result, "0");
});

Deno.test("supervise: a flood on stderr holds nothing up, and its end is kept", async () => {
  for (const bytes of [200_000, 10_000_000]) {
    const run = await launchFake("flood_stderr", { env: { FAKE_BYTES: String(bytes) } });
    assertEquals(await run.finish(), CLEAN);
    const tail = await run.receipt("stderr_tail");
    assert(tail.truncated && tail.text.endsWith("\nthe last line: é\n"));
    assert(new TextEncoder().encode(tail.text).length <= MAX_STDERR_TAIL_BYTES);
    assertEquals(run.frames().at(-1)?.result, "hello");
  }
  const forwarded = await launchFake("flood_stderr", {
    env: { FAKE_BYTES: "3000000" },
    forwardStderr: true,
  });
  assertEquals(await forwarded.finish(), CLEAN);
  const told = forwarded.receipts.map((one) => one.receipt === "stderr" ? one.text : "").join("");
  assert(told.startsWith("the first line\n"));
  assertStringIncludes(told, `goes on past ${MAX_FORWARDED_STDERR_BYTES} bytes`);
  assert(told.length < MAX_FORWARDED_STDERR_BYTES + 100_000, `${told.length} characters`);
  const small = await launchFake("exit_7");
  await small.finish();
  assertEquals(await small.receipt("stderr_tail"), {
    receipt: "stderr_tail",
    text: "something is missing\n",
    truncated: false,
  });
});

Deno.test("supervise: a flood on stdout arrives whole", async () => {
  const run = await launchFake("flood_stdout");
  assertEquals(await run.finish(), CLEAN);
  assertEquals(run.stdout().split("\n").length, 200_000 + 3 + 1);
});

Deno.test("supervise: a stranger that holds stdout holds nothing up and is left alone", async () => {
  const folder = await Deno.makeTempDir();
  const run = await launchFake("stdout_shared", { env: { FAKE_FOLDER: folder } });
  const native = await run.pidOf("native");
  await using stranger = await holdOpen(`/proc/${native}/fd/1`);
  await Deno.writeTextFile(`${folder}/go`, "");
  assertEquals(await run.finish(), CLEAN);
  assertEquals(await isAlive(stranger.pid, stranger.start), true);
  await assertNothingLeft(run);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("supervise: a supervisor says whose it is, and nothing else does", async () => {
  const run = await launchFake("slow");
  await run.frame((frame) => frame.type === "stream_event");
  const rows = (await liveProcesses()).filter((row) => row.supervises?.endsWith(`.${run.runId}`));
  assertEquals(rows.map((row) => [row.pid, row.tokens]), [[run.supervised.pid, []]]);
  assertEquals<unknown>((await markedWith(run.runId))[0]?.tokens, [rows[0]?.supervises]);
  run.supervised.stop();
  await assertEnded(run);
});

Deno.test("supervise: kill ends everything at once, and after a stop too", async () => {
  const atOnce = await launchFake("setsid_child", { argv: ["--", "stay"] });
  await atOnce.receipt("started");
  atOnce.supervised.stop("kill");
  const { confirmed, escalated } = await atOnce.finish() ?? {};
  assertEquals([confirmed, escalated], [true, true]);
  assertEquals((await atOnce.receipt("exit")).signal, "SIGKILL", "it was not asked before");
  await assertNothingLeft(atOnce);

  const stopped = await launchFake("ignores_term", { argv: ["--", "stay"] });
  await stopped.receipt("started");
  stopped.supervised.stop();
  stopped.supervised.stop("kill");
  await assertEnded(stopped);
  assertEquals((await stopped.receipt("exit")).signal, "SIGKILL");
  await assertNothingLeft(stopped);
});

Deno.test("supervise: stop may be said often, and after the end", async () => {
  const run = await launchFake("slow");
  await run.frame((frame) => frame.type === "stream_event");
  for (let i = 0; i < 5; i++) run.supervised.stop();
  await assertEnded(run);
  assertEquals((await run.receipt("exit")).code, 143);
  run.supervised.stop();
  await assertNothingLeft(run);
});

Deno.test("supervise: lines that are not receipts are logged and do no harm", async () => {
  const entry = new URL("../../src/host/supervise_entry.ts", import.meta.url).href;
  const script = `echo 'Warning: something' >&2; echo '{"receipt":"cleanup"}' >&2; exec "$@"`;
  const run = await launchFake("ok", {
    launcher: {
      supervisor: {
        program: "/bin/sh",
        args: [
          "-c",
          script,
          "sh",
          Deno.execPath(),
          "run",
          "--quiet",
          "--no-config",
          "--allow-run",
          entry,
        ],
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "" },
      },
    },
  });
  assertEquals(await run.finish(), CLEAN);
  assertEquals(kinds(run), ["accepted", "version", "started", "exit", "stderr_tail", "cleanup"]);
  assertEquals(run.log.lines.length, 2);
  assertStringIncludes(run.log.lines[0]!, "Warning: something");
});

Deno.test("supervise: a supervisor that says nothing sensible is reported by one receipt of ours", async () => {
  const run = await launchFake("ok", {
    launcher: {
      supervisor: { program: "/bin/sh", args: ["-c", "yes noise | head -c 3000000 >&2"], env: {} },
    },
  });
  assertEquals(await run.finish(), null);
  assertEquals(run.receipts, [
    { receipt: "spawn_failed", fault: "supervisor", detail: "noise" },
  ]);
  assertEquals(run.log.lines.length, 16, "noise is logged with a bound");
  assertEquals(await run.supervised.recover(), CLEAN);
});

const accepting = (args: string, ...accepts: AcceptedOutput[]) => ({ args: [args], accepts });

Deno.test("supervise: the weakest reason for which a check passed is the one that is reported", async () => {
  const tree: AcceptedOutput = { stdout: FAKE_VERSION_OUTPUT, by: "tree" };
  const receipt: AcceptedOutput = { stdout: FAKE_VERSION_OUTPUT, by: "receipt" };
  const override: AcceptedOutput = { stdout: FAKE_VERSION_OUTPUT, by: "override" };
  const other: AcceptedOutput = { stdout: "9.9.9\n", by: "tree" };
  const cases: readonly (readonly [readonly ExecutableCheck[], AdmittedBy | undefined])[] = [
    [[], undefined],
    [[accepting("--version", tree, receipt)], "tree"],
    [[accepting("--version", other, receipt)], "receipt"],
    [[accepting("--version", other, override, receipt)], "override"],
    [[accepting("--version", receipt), accepting("--version", tree)], "receipt"],
    [[accepting("--version", tree), accepting("--version", override)], "override"],
  ];
  for (const [checks, by] of cases) {
    const run = await launchFake("ok", { checks });
    assertEquals(await run.finish(), CLEAN);
    const version = await run.receipt("version");
    assertEquals([version.ok, version.by], [true, by], JSON.stringify(checks));
  }
  const refused = await launchFake("ok", { checks: [accepting("--version", other)] });
  assertEquals(await refused.finish(), CLEAN);
  const version = await refused.receipt("version");
  assertEquals([version.ok, version.by, version.stdout], [false, undefined, FAKE_VERSION_OUTPUT]);
});
