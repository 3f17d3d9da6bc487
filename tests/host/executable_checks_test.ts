import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  type DeclaredCheck,
  type RunChecksOptions,
  runDeclaredChecks,
} from "../../src/host/executable_checks.ts";
import { systemClock } from "../../src/host/clock.ts";
import type { Clock } from "../../src/supervision/ports.ts";
import { sha256 } from "../helpers/sha256.ts";
import { liveProcesses, until } from "../helpers/processes.ts";

/** A folder with one small program in it. */
async function makeProgram(script: string) {
  const folder = await Deno.makeTempDir({ prefix: "checks_" });
  const path = `${folder}/program`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${script}\n`);
  await Deno.chmod(path, 0o755);
  return { folder, path, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

async function outcomeOf(
  script: string,
  checks: readonly DeclaredCheck[],
  options: Omit<RunChecksOptions, "executable"> = {},
) {
  await using program = await makeProgram(script);
  const { passed, fault } = await runDeclaredChecks(checks, {
    executable: program.path,
    ...options,
  });
  return { passed, kind: fault?.kind ?? null, index: fault?.index, message: fault?.message ?? "" };
}

/** A clock that shows what it is told, call by call, and whose waits never end. */
function scriptedClock(at: readonly number[]): Clock & { waits: number[] } {
  const left = [...at];
  const waits: number[] = [];
  return {
    waits,
    now: systemClock.now,
    monotonic: () => left.shift() ?? at.at(-1) ?? 0,
    after(ms) {
      waits.push(ms);
      return () => {};
    },
  };
}

const ECHO = "printf '%s' \"$1\"";
const SAYS = (text: string): DeclaredCheck => ({ args: [text], stdout: text });

const PASSES: readonly [name: string, script: string, checks: readonly DeclaredCheck[]][] = [
  ["exact text", ECHO, [SAYS("1.0\n")]],
  ["exact text beyond ASCII", ECHO, [SAYS("é😀\n")]],
  ["no output", "exit 0", [{ args: ["x"], stdout: "" }]],
  ["a digest", ECHO, [{ args: ["1.0\n"], stdout_sha256: sha256("1.0\n") }]],
  ["bytes that are no text, by digest", "printf '\\377\\000'", [
    // Of the bytes FF 00.
    {
      args: ["x"],
      stdout_sha256: "ea5dbf9596d187e9500f23e9a680109475341cf4e81f7e043f7d97152c10772f",
    },
  ]],
  ["four checks", ECHO, ["a", "b", "c", "d"].map(SAYS)],
  ["a check that reads its input, which is at its end", "cat; echo done", [
    { args: ["x"], stdout: "done\n" },
  ]],
  ["words on standard error", "echo warning >&2; echo ok", [{ args: ["x"], stdout: "ok\n" }]],
  ["an output of 4 MiB", "head -c 4194304 /dev/zero", [
    { args: ["x"], stdout_sha256: sha256("\0".repeat(4_194_304)) },
  ]],
  ["arguments as they are", "printf '%s|' \"$@\"", [
    { args: ["$HOME", "a b", "", "*"], stdout: "$HOME|a b||*|" },
  ]],
];

for (const [name, script, checks] of PASSES) {
  Deno.test(`declared checks pass with ${name}`, async () => {
    const { passed, kind, message } = await outcomeOf(script, checks);
    assertEquals([passed, kind, message], [checks.length, null, ""]);
  });
}

const MISMATCHES: readonly [name: string, script: string, says: string][] = [
  ["another text", "echo secret", "printed 7 bytes"],
  ["the text without its newline", "printf ok", "printed 2 bytes"],
  ["more after the text", "echo ok; echo ok", "printed 6 bytes"],
  ["nothing", "exit 0", "printed 0 bytes"],
  ["the text and a failure", "echo ok; exit 3", "code 3"],
  ["the text and a signal", "echo ok; kill -KILL $$", "SIGKILL"],
  ["the text on standard error", "echo ok >&2", "printed 0 bytes"],
  ["an output without end", "exec cat /dev/zero", "more than 4194304 bytes"],
  ["errors without end", "exec cat /dev/zero >&2", "more than 4194304 bytes"],
];

for (const [name, script, says] of MISMATCHES) {
  Deno.test(`a declared check fails with ${name}`, async () => {
    const outcome = await outcomeOf(`[ "$1" = first ] && exec printf first\n${script}`, [
      SAYS("first"),
      { args: ["x"], stdout: "ok\n" },
      SAYS("first"),
    ]);
    assertEquals([outcome.passed, outcome.kind, outcome.index], [1, "mismatch", 1]);
    assertStringIncludes(outcome.message, says);
    assert(!outcome.message.includes("secret"), "what it printed is not repeated");
  });
}

Deno.test("declared checks share one budget", async () => {
  // The budget starts at 0; the checks begin at 1,000, 3,000 and 4,900.
  const shared = scriptedClock([0, 1_000, 3_000, 4_900]);
  const checks = ["a", "b", "c"].map(SAYS);
  assertEquals((await outcomeOf(ECHO, checks, { clock: shared })).passed, 3);
  assertEquals(shared.waits, [4_000, 2_000, 100]);
  // Here the third would begin when the budget is over: it is not even started.
  const spent = scriptedClock([0, 1_000, 3_000, 5_000]);
  const outcome = await outcomeOf(`${ECHO}; [ "$1" != c ] || touch "$0.started"`, checks, {
    clock: spent,
  });
  assertEquals([outcome.passed, outcome.kind, outcome.index], [2, "timeout", 2]);
  assertStringIncludes(outcome.message, "5 s");
  assertEquals(spent.waits, [4_000, 2_000]);
});

const HANGS = [
  ["a check that does not end", 'echo $$ > "$0.pid"; exec sleep 300'],
  ["a check that ended while another holds its output", 'sleep 300 & echo $! > "$0.pid"; exit 0'],
  [
    "a check that ignores SIGTERM",
    "trap '' TERM; echo $$ > \"$0.pid\"; while :; do sleep 300; done",
  ],
] as const;

for (const [name, script] of HANGS) {
  Deno.test(`${name} is a timeout, and nothing of it is left`, async () => {
    await using program = await makeProgram(script);
    const pidOf = () => Number(Deno.readTextFileSync(`${program.path}.pid`).trim());
    // The budget ends as soon as the program has said who it is.
    const clock: Clock = {
      ...systemClock,
      after(_ms, act) {
        let taken = false;
        void until(() => taken || isThere(`${program.path}.pid`)).then(() => {
          if (!taken) act();
        });
        return () => void (taken = true);
      },
    };
    const { passed, fault } = await runDeclaredChecks([{ args: ["x"], stdout: "" }], {
      executable: program.path,
      clock,
    });
    assertEquals([passed, fault?.kind, fault?.index], [0, "timeout", 0]);
    const pid = pidOf();
    await until(async () => !(await liveProcesses()).some((row) => row.pid === pid));
  });
}

Deno.test("interrupted checks end what they started", async () => {
  await using program = await makeProgram('echo $$ > "$0.pid"; exec sleep 300');
  const stop = new AbortController();
  const checks = [{ args: ["x"], stdout: "" }];
  const running = runDeclaredChecks(checks, { executable: program.path, stop: stop.signal });
  await until(() => isThere(`${program.path}.pid`));
  stop.abort();
  assertEquals((await running).fault?.kind, "cancelled");
  const pid = Number(Deno.readTextFileSync(`${program.path}.pid`).trim());
  await until(async () => !(await liveProcesses()).some((row) => row.pid === pid));
  const late = await runDeclaredChecks(checks, { executable: program.path, stop: stop.signal });
  assertEquals(late.fault?.kind, "cancelled");
});

const CHANGES: readonly [name: string, script: string][] = [
  ["is replaced by another file", 'cp "$0" "$0.new" && mv "$0.new" "$0"'],
  ["is written again with the same content", 'cat "$0" > "$0.copy" && cat "$0.copy" > "$0"'],
  ["loses its permission", 'chmod 700 "$0"'],
  ["is removed", 'rm "$0"'],
];

for (const [name, script] of CHANGES) {
  Deno.test(`an executable that ${name} during its check is not the one that was checked`, async () => {
    const outcome = await outcomeOf(`${script}; printf ok`, [{ args: ["x"], stdout: "ok" }]);
    assertEquals([outcome.passed, outcome.kind, outcome.index], [0, "identity_changed", 0]);
    // Nor when the check would have failed anyway.
    const failed = await outcomeOf(`${script}; exit 1`, [{ args: ["x"], stdout: "ok" }]);
    assertEquals(failed.kind, "identity_changed");
  });
}

Deno.test("a link that leads elsewhere after the check is noticed", async () => {
  // Run through the link, $0 is the link.
  await using program = await makeProgram('ln -sfn "$0.other" "$0"; printf ok');
  await Deno.copyFile(program.path, `${program.path}.link.other`);
  await Deno.symlink(program.path, `${program.path}.link`);
  const { fault } = await runDeclaredChecks([{ args: ["x"], stdout: "ok" }], {
    executable: `${program.path}.link`,
  });
  assertEquals(fault?.kind, "identity_changed");
});

Deno.test("what cannot be run is unavailable", async () => {
  await using program = await makeProgram("exit 0");
  await Deno.writeTextFile(`${program.folder}/text`, "hello");
  await Deno.writeTextFile(`${program.folder}/orphan`, "#!/nowhere/interpreter\n");
  await Deno.chmod(`${program.folder}/orphan`, 0o755);
  await Deno.symlink(`${program.folder}/orphan/loop`, `${program.folder}/broken`);
  const cases = [
    ["missing", "does not exist"],
    ["text", "not executable"],
    ["", "no file"],
    ["orphan", "cannot be started"],
    ["broken", "executable"],
  ] as const;
  for (const [name, says] of cases) {
    const { passed, fault } = await runDeclaredChecks([{ args: ["x"], stdout: "" }], {
      executable: `${program.folder}/${name}`,
    });
    assertEquals([passed, fault?.kind], [0, "unavailable"], name);
    assertStringIncludes(fault!.message, says);
  }
  const bare = await runDeclaredChecks([{ args: ["x"], stdout: "" }], { executable: "sh" });
  assertEquals(bare.fault?.kind, "unavailable", "a bare name is no search on PATH");
});

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch {
    return false;
  }
}
