import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { answer, hold, route, text, toolUse } from "../../src/loopback/mod.ts";
import { isAlive } from "../../scripts/support/left_behind.ts";
import { type CommandWorld, inCommandWorld } from "./command_world.ts";

/** `print` with the options that every call here has. */
function print({ executable }: CommandWorld, ...args: readonly string[]): string[] {
  return ["print", "--executable", executable, "--permission-mode", "dontAsk", ...args];
}

/** The one JSON object on a line of its own that standard output has to be. */
function only(stdout: string) {
  assert(stdout.endsWith("\n") && stdout.trimEnd().split("\n").length === 1, stdout);
  return JSON.parse(stdout);
}

Deno.test("print gives the one native result and exits 0, whatever the prompt begins with", async () => {
  await inCommandWorld({ script: [answer("Done.")] }, async (world) => {
    const { code, stdout, stderr } = await world.run(...print(world, "--", "--help me, please"));
    assertEquals([code, stderr], [0, ""]);
    const { type, is_error, result } = only(stdout);
    assertEquals([type, is_error, result], ["result", false, "Done."]);
    assertStringIncludes(JSON.stringify(world.model.messages[0]?.body), "--help me, please");
  });
});

Deno.test("print passes every option of the tree on, in the native words", async () => {
  await inCommandWorld({ script: [answer("One."), answer("Two.")] }, async (world) => {
    const id = crypto.randomUUID();
    const first = await world.run(
      ...print(world, `--session-id=${id}`, "--append-system-prompt", "Say moo.", "hello"),
    );
    assertEquals([first.code, only(first.stdout).session_id], [0, id], first.stderr);
    assertStringIncludes(JSON.stringify(world.model.messages[0]?.body), "Say moo.");
    const second = await world.run(...print(world, "--resume", id, "--max-budget-usd=5", "again"));
    assertEquals([second.code, only(second.stdout).result], [0, "Two."], second.stderr);
    assertStringIncludes(JSON.stringify(world.model.messages[1]?.body), "One.");
  });
});

Deno.test("print fails as the contract says, and keeps what the CLI printed", async () => {
  await inCommandWorld({ script: [], loggedIn: false }, async (world) => {
    const { code, stdout, stderr } = await world.run(...print(world, "hello"));
    assertEquals([code, only(stdout).is_error], [3, true], stderr);
    assertEquals(only(stdout).subtype, "success", "which is why the exit code decides");
    assertStringIncludes(stderr, "authentication_required");
    assertEquals(world.model.messages.length, 0);
  });
  await inCommandWorld({ script: [] }, async (world) => {
    const { code, stdout, stderr } = await world.run(
      ...print(world, `--resume=${crypto.randomUUID()}`, "hello"),
    );
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "No conversation found", "the native stderr is passed on");
    assertStringIncludes(stderr, "(resume_failed)");
  });
});

const BACKGROUND = route([
  { says: "task-notification", reply: answer("The task is over.") },
  { is: "tool_result", reply: answer("The answer.") },
  {
    says: "go",
    reply: answer([
      toolUse("Bash", { command: "sleep 1; echo ok", run_in_background: true, description: "Go" }),
    ]),
  },
]);

Deno.test("print keeps the answer from being hidden by a background task, unless it is allowed", async () => {
  await inCommandWorld({ script: BACKGROUND, allowBash: true }, async (world) => {
    const off = await world.run(...print(world, "go"));
    assertEquals([off.code, only(off.stdout).result], [0, "The answer."], off.stderr);
    const allowed = await world.run(...print(world, "--background-tasks=allow", "go"));
    assertEquals([allowed.code, only(allowed.stdout).result], [0, "The task is over."]);
  });
});

Deno.test("print that is interrupted ends the run with its tool and exits 130", async () => {
  const tool = toolUse("Bash", {
    command: "echo $$ > pid; sleep 1; sleep 50",
    description: "Wait",
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    await inCommandWorld({ script: () => answer([tool]), allowBash: true }, async (world) => {
      const program = world.start(...print(world, "wait"));
      const pid = await world.written("pid");
      Deno.kill(program.pid, signal);
      const { code, stdout, stderr } = await program.ended;
      assertEquals([code, stdout], [130, ""], stderr);
      assertStringIncludes(stderr, `${signal} ended the run (cancelled)`);
      assert(!await isAlive(pid));
    });
  }
});

Deno.test("print that takes too long ends with its own exit code", async () => {
  const released = Promise.withResolvers<void>();
  const script = () => answer([text("Let me "), hold(released.promise), text("think.")]);
  await inCommandWorld({ script }, async (world) => {
    const { code, stdout, stderr } = await world.run(...print(world, "--timeout=2", "hello"));
    assertEquals([code, stdout], [4, ""]);
    assertStringIncludes(stderr, "within its 2 s (timeout)");
  });
  released.resolve();
});
