import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { isObject, type JsonObject, objectMember, utf8Length } from "../../src/base/json.ts";
import { MAX_ARGUMENT_BYTES } from "../../src/base/limits.ts";
import { checkValue } from "../../src/contract/check_value.ts";
import { encodeCommand } from "../../src/contract/encode_argv.ts";
import { loadTree } from "../../src/contract/load_tree.ts";
import { EXECUTION_CONTROLS, runArgumentsJsonSchema } from "../../src/contract/run_schema.ts";
import {
  embeddedTree,
  expectedChecks,
  pinnedVersion,
  printCommand,
} from "../../src/contract/tree.ts";

const UUID = "12345678-1234-4234-8234-1234567890ab";

Deno.test("the embedded tree is the pinned version's, partial, and has one command", () => {
  const tree = embeddedTree();
  assertEquals(pinnedVersion(), "2.1.332");
  assertEquals(expectedChecks(), [{ args: ["--version"], stdout: "2.1.332 (Claude Code)\n" }]);
  assertEquals(tree.coverage, "partial");
  assertEquals(tree.commands.map(({ id }) => id), ["print"]);
  for (
    const word of [
      "Interactive",
      "bypass",
      "--allowedTools",
      "--mcp-config",
      "--settings",
      "Output formats",
    ]
  ) {
    assert(tree.omissions?.some((omission) => omission.includes(word)), `no omission says ${word}`);
  }
});

Deno.test("the embedded tree is what every check of the format makes of it", async () => {
  const path = new URL("../../cli-tree.json", import.meta.url);
  assertEquals(embeddedTree(), loadTree(JSON.parse(await Deno.readTextFile(path))));
});

Deno.test("embeddedTree() is loaded once and frozen", () => {
  assert(embeddedTree() === embeddedTree());
  assert(Object.isFrozen(printCommand().parameters));
});

Deno.test("print offers no mode that bypasses permissions and nothing interactive", () => {
  const text = JSON.stringify(printCommand());
  for (
    const word of ["bypass", "dangerously", "--allow", "--settings", "--mcp", "--tools", "--ide"]
  ) {
    assert(!text.toLowerCase().includes(word), `print mentions ${word}`);
  }
});

Deno.test("print maps every parameter in the order of the tree", () => {
  const { argv, stdin } = encodeCommand(printCommand(), {
    session_id: UUID,
    prompt: "--help me",
    max_budget_usd: 0.5,
    append_system_prompt: "-be brief",
    effort: "xhigh",
    model: "sonnet",
    no_session_persistence: true,
    permission_mode: "plan",
  });
  assertEquals(argv, [
    "-p",
    "--output-format=json",
    "--permission-mode=plan",
    "--model=sonnet",
    "--effort=xhigh",
    "--append-system-prompt=-be brief",
    "--max-budget-usd=0.5",
    `--session-id=${UUID}`,
    "--no-session-persistence",
    "--",
    "--help me",
  ]);
  assertEquals(stdin, null);
});

Deno.test("print's relationships are declared on both sides, for hosts that read one", () => {
  const parameters = new Map(printCommand().parameters.map((entry) => [entry.name, entry]));
  for (const { name, conflicts = [] } of parameters.values()) {
    for (const other of conflicts) {
      assert(parameters.get(other)?.conflicts?.includes(name), `${other} does not name ${name}`);
    }
  }
});

Deno.test("print's output schema takes the native results and refuses other output", () => {
  const schema = printCommand().output_schema!;
  const good = {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "hi",
    session_id: UUID,
    later: [1],
  };
  assertEquals(checkValue(schema, good), null);
  const { result: _, ...withoutResult } = {
    ...good,
    subtype: "error_max_budget_usd",
    is_error: true,
    errors: ["x"],
  };
  assertEquals(checkValue(schema, withoutResult), null);
  for (
    const bad of [[good], {}, { ...good, type: "assistant" }, { ...good, is_error: "no" }, {
      ...good,
      session_id: "",
    }]
  ) {
    assert(checkValue(schema, bad) !== null, JSON.stringify(bad));
  }
});

Deno.test("the byte bound in the description of append_system_prompt is the real one", () => {
  const room = MAX_ARGUMENT_BYTES - utf8Length("--append-system-prompt=");
  const parameter = printCommand().parameters.find(({ name }) => name === "append_system_prompt")!;
  assertStringIncludes(parameter.description!, `${room} bytes`);
});

Deno.test("the schema of a run and the tree cannot drift apart", () => {
  const properties = objectMember(runArgumentsJsonSchema(), "properties")!;
  const { parameters, argv } = printCommand();
  const controls = EXECUTION_CONTROLS.map(({ name }) => name);
  assertEquals(controls, ["background_tasks", "timeout_seconds", "max_events"]);
  assertEquals(Object.keys(properties), [...parameters.map(({ name }) => name), ...controls]);
  const mapped = argv.flatMap((token) => token.kind === "literal" ? [] : [token.parameter]);
  assertEquals([...mapped].sort(), parameters.map(({ name }) => name).sort());
  for (const { name, schema, description, required, conflicts = [] } of parameters) {
    const { default: fallback, description: shown, ...bounds } = properties[name] as JsonObject;
    assert(isObject(properties[name]) && typeof shown === "string");
    assert(shown.startsWith(description!) && description !== "", `${name} is not described`);
    for (const other of conflicts) assertStringIncludes(shown, other);
    const oneWay = schema.type === "boolean";
    assertEquals(bounds, oneWay ? { type: "boolean" } : { ...schema } as unknown as JsonObject);
    const expected = oneWay ? false : name === "permission_mode" ? "dontAsk" : undefined;
    assertEquals(fallback, expected);
    assertEquals(required === true, name === "prompt" || name === "permission_mode");
  }
});
