import { assert, assertEquals } from "@std/assert";
import { answer, toolUse } from "../../src/loopback/mod.ts";
import type { Answer } from "../helpers/mcp_client.ts";
import { inWorld } from "./world.ts";

const WRITES = (project: string) => [
  answer([toolUse("Write", { file_path: `${project}/made.txt`, content: "made\n" })]),
  answer("Done."),
];

function modeOfInit(value: Answer): string {
  return value.events.find((event: Answer) => event.subtype === "init")?.permissionMode;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("acceptEdits reaches the CLI and lets it write a file", async () => {
  await inWorld({ script: WRITES }, async ({ run, project }) => {
    const value = await run({ prompt: "write", permission_mode: "acceptEdits" });
    assertEquals([value.state, value.permission_mode], ["completed", "acceptEdits"]);
    assertEquals(modeOfInit(value), "acceptEdits");
    assertEquals(await Deno.readTextFile(`${project}/made.txt`), "made\n");
    assertEquals(value.permission_denials.count, 0);
  });
});

Deno.test("plan reaches the CLI and lets it write nothing", async () => {
  await inWorld({ script: WRITES }, async ({ run, project }) => {
    const value = await run({ prompt: "write", permission_mode: "plan" });
    assertEquals([value.state, value.permission_mode], ["completed", "plan"]);
    assertEquals(modeOfInit(value), "plan");
    assert(!await exists(`${project}/made.txt`));
  });
});

Deno.test("dontAsk denies a write; the run succeeds and lists the denial", async () => {
  await inWorld({ script: WRITES }, async ({ run, project }) => {
    const value = await run({ prompt: "write" });
    assertEquals([value.state, value.result, value.is_error], ["completed", "Done.", false]);
    assertEquals(modeOfInit(value), "dontAsk");
    assertEquals(value.permission_denials.count, 1);
    const [denial] = value.permission_denials.list;
    assertEquals(denial.tool_name, "Write");
    assertEquals(denial.tool_input.file_path, `${project}/made.txt`);
    assert(!await exists(`${project}/made.txt`));
  });
});
