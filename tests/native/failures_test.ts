import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { answer, failure } from "../../src/loopback/mod.ts";
import { inWorld } from "./world.ts";

Deno.test("a CLI that is not logged in is authentication_required", async () => {
  await inWorld({ script: () => [], loggedIn: false }, async ({ run, model }) => {
    const value = await run({ prompt: "say hello" });
    assertEquals([value.state, value.error.code], ["failed", "authentication_required"]);
    assertStringIncludes(value.error.message, "Not logged in");
    assertEquals(value.cleanup_confirmed, true);
    assertEquals(model.messages.length, 0);
  });
});

Deno.test("a usage limit is usage_limited, at once", async () => {
  const limited = failure(429, {
    message: "This request would exceed your limit",
    headers: { "retry-after": "3600" },
  });
  await inWorld({ script: () => [limited] }, async ({ run, model }) => {
    const value = await run({ prompt: "say hello" });
    assertEquals([value.state, value.error.code], ["failed", "usage_limited"]);
    assertEquals(value.exit_code, 1);
    assertEquals(model.messages.length, 1);
  });
});

Deno.test("a budget that is exceeded fails the run and says which", async () => {
  const dear = answer("A dear answer.", { usage: { input: 100_000, output: 10_000 } });
  await inWorld({ script: () => [dear] }, async ({ run }) => {
    const value = await run({ prompt: "say hello", max_budget_usd: 0.01 });
    assertEquals([value.state, value.error.code], ["failed", "vendor_failed"]);
    assertEquals(value.subtype, "error_max_budget_usd");
    assertStringIncludes(value.error.message, "Reached maximum budget ($0.01)");
    assert(value.total_cost_usd > 0.01);
  });
});

Deno.test("an answer of the model that fails for good is vendor_failed with its words", async () => {
  const bad = failure(403, { type: "invalid_request_error", message: "no such thing" });
  await inWorld({ script: () => [bad] }, async ({ run }) => {
    const value = await run({ prompt: "say hello" });
    assertEquals(value.state, "failed");
    assertStringIncludes(value.error.message, "no such thing");
    assertEquals(value.final_event.is_error, true);
  });
});

Deno.test("another version of the CLI is incompatible_vendor and is not run", async () => {
  const executable = `#!/bin/sh
if [ "$*" = --version ]; then echo '2.1.331 (Claude Code)'; else echo "$@" > ran; fi
`;
  await inWorld({ script: () => [], executable }, async ({ run, model, project }) => {
    const value = await run({ prompt: "say hello" });
    assertEquals([value.state, value.error.code], ["failed", "incompatible_vendor"]);
    assertStringIncludes(value.error.message, "2.1.331 (Claude Code)");
    assertStringIncludes(value.error.message, "2.1.332 (Claude Code)");
    assertEquals([value.cleanup_confirmed, value.native.version], [true, "2.1.331"]);
    assertEquals(model.requests.length, 0);
    assertEquals(await Array.fromAsync(Deno.readDir(project)), []);
  });
});

Deno.test("wrong arguments start nothing, not even a version check", async () => {
  const executable = '#!/bin/sh\necho "$@" > ran\n';
  await inWorld({ script: () => [], executable }, async ({ client, project }) => {
    const session = crypto.randomUUID();
    const both = { prompt: "go", resume_session_id: session, session_id: session };
    for (const args of [{ prompt: "" }, { prompt: "go", permission_mode: "bypass" }, both]) {
      const { isError, value } = await client.callTool("claude.run", args);
      assertEquals([isError, value.error.code], [true, "invalid_arguments"]);
    }
    assertEquals((await client.callTool("claude.run.list")).value.runs, []);
    assertEquals(await Array.fromAsync(Deno.readDir(project)), []);
  });
});
