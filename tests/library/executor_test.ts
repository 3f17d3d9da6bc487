import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { createClaude } from "../../src/library/claude.ts";
import {
  checkSystem,
  createExecutor,
  type ExecuteRequest,
  type ExecutorOptions,
} from "../../src/library/executor.ts";

const BASE: ExecutorOptions = { model: "m", apiKey: "sk-ant-made-up", executable: "/bin/true" };

Deno.test("an executor is not made where processes cannot be supervised, or of options that are wrong", async () => {
  checkSystem("linux");
  checkSystem("darwin");
  const { code, message } = assertThrows(() => checkSystem("windows"), AdapterError);
  assertEquals(code, "invalid_configuration");
  assertStringIncludes(message, "windows");
  for (
    const change of [{ apiKey: undefined }, { authToken: "t" }, { model: "" }, { tools: [] }, null]
  ) {
    const options = change === null ? null : { ...BASE, ...change };
    const made = createExecutor(options as ExecutorOptions);
    const error = await assertRejects(() => made, AdapterError);
    assertEquals((error as AdapterError).code, "invalid_arguments");
  }
});

Deno.test("a request that is wrong is refused at once, and nothing is started", async () => {
  await using executor = await createExecutor(BASE);
  const tool = {
    name: "t",
    description: "d",
    inputSchema: { type: "object" },
    handler: () => "",
  };
  const calls = (input: unknown) => ({
    role: "assistant",
    content: "",
    toolCalls: [{ id: "a", name: "b", input }],
  });
  const table: readonly (readonly [unknown, string])[] = [
    [{}, "exactly one of 'prompt' and 'messages'"],
    [{ prompt: "x", messages: [] }, "exactly one of 'prompt' and 'messages'"],
    [null, "must be an object"],
    [{ prompt: "x", tool: [] }, "no member 'tool'"],
    [{ prompt: "x", signal: "later" }, "'signal' must be an AbortSignal"],
    [{ prompt: "x", overrides: null }, "'overrides' must be an object"],
    [{ prompt: "x", overrides: { extraArgs: null } }, "'extraArgs'"],
    [{ prompt: "x", overrides: { jsonSchema: { default: 5n } } }, "'jsonSchema'"],
    [{ messages: [{ role: "user", content: "x" }, calls(5n)] }, "cannot be said in JSON"],
    [{ prompt: "x", tools: [{ ...tool, inputSchema: { type: "object", a: 5n } }] }, "is no JSON"],
    [{ prompt: "" }, "it is empty"],
    [{ prompt: 5 }, "'content'"],
    [{ prompt: "x".repeat(11_000_000) }, "10485760"],
    [{ messages: [] }, "1 to 10000"],
    [{ prompt: "x", tools: "all" }, "must be a list"],
    [{ prompt: "x", tools: [tool, tool] }, "two tools are called 't'"],
    [{ prompt: "x", tools: [{ ...tool, inputSchema: {} }] }, "'object'"],
    [{ prompt: "x", overrides: { maxTurns: 0 } }, "'maxTurns'"],
    [{ prompt: "x", overrides: { apiKey: "a", authToken: "b" } }, "exactly one of 'apiKey'"],
    [{ prompt: "x", overrides: { jsonSchema: { type: "banana" } } }, "'jsonSchema'"],
    [{ prompt: "x", overrides: { jsonSchema: { description: "x".repeat(140_000) } } }, "131071"],
  ];
  for (const [request, says] of table) {
    const error = assertThrows(() => executor.execute(request as ExecuteRequest), AdapterError);
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, says);
  }
  await using missing = await createExecutor({ ...BASE, executable: "/nowhere/claude" });
  const error = assertThrows(() => missing.execute({ prompt: "x" }), AdapterError);
  assertEquals(error.code, "dependency_unavailable");
});

Deno.test("an executor and a library that are closed start nothing more, and one that is made meanwhile ends too", async () => {
  const executor = await createExecutor(BASE);
  await executor[Symbol.asyncDispose]();
  await executor[Symbol.asyncDispose]();
  const refused = assertThrows(() => executor.execute({ prompt: "x" }), AdapterError);
  assertEquals(refused.code, "cancelled");

  const claude = createClaude({ executable: "/bin/true" });
  const made = claude.executor({ model: "m", apiKey: "sk-ant-made-up" });
  await claude[Symbol.asyncDispose]();
  const other = await made;
  const late = assertThrows(() => other.execute({ prompt: "x" }), AdapterError);
  assertEquals(late.code, "cancelled");
  const none = await assertRejects(
    () => claude.executor({ model: "m", apiKey: "sk-ant-made-up" }),
    AdapterError,
  );
  assertEquals((none as AdapterError).code, "cancelled");
});

Deno.test("importing the library does not load the MCP SDK", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "mod.ts"],
    cwd: new URL("../../", import.meta.url),
    stderr: "null",
  }).output();
  interface Module {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly isDynamic?: boolean;
      readonly code?: { readonly specifier?: string };
    }[];
  }
  const { roots, modules }: { roots: string[]; modules: Module[] } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  const bySpecifier = new Map(modules.map((module) => [module.specifier, module]));
  const [seen, todo] = [new Set<string>(), [...roots]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    for (const { isDynamic, code } of bySpecifier.get(next)?.dependencies ?? []) {
      if (isDynamic !== true && code?.specifier !== undefined) todo.push(code.specifier);
    }
  }
  assert(seen.size > 20, `${seen.size} modules`);
  assertEquals([...seen].filter((specifier) => specifier.includes("modelcontextprotocol")), []);
  assert([...bySpecifier.keys()].some((specifier) => specifier.includes("src/bridge/sdk.ts")));
});
