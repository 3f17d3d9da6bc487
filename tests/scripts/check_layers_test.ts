import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkTree } from "../../scripts/check_layers.ts";
import { findImports } from "../../scripts/layers/imports.ts";
import { maskCode } from "../../scripts/layers/mask.ts";
import { checkSource, MAX_SOURCE_LINES } from "../../scripts/layers/rules.ts";

/** A root in two pieces, so that this file does not break the rule it is about. */
const WORK = "/wo" + "rk/main";

type Sample = readonly [path: string, text: string];

const GOOD: readonly Sample[] = [
  ["src/base/json.ts", 'import config from "../../deno.json" with { type: "json" };'],
  ["src/frames/a.ts", 'import { a } from "../base/json.ts";\nimport { b } from "./b.ts";'],
  ["src/frames/a.ts", 'import { TextLineStream } from "@std/streams/text-line-stream";'],
  ["src/contract/a.ts", 'import { z } from "zod";\nimport tree from "../../cli-tree.json";'],
  ["src/contract/a.ts", 'import { parse } from "@std/jsonc/parse";'],
  ["src/runs/a.ts", 'import type { R } from "../supervision/receipts.ts";'],
  ["src/runs/a.ts", 'import { type R, type S } from "../supervision/receipts.ts";'],
  ["src/runs/a.ts", 'export type { R } from "../contract/run_arguments.ts";'],
  ["src/runs/a.ts", 'import { readInit } from "../frames/native.ts";'],
  ["src/threads/a.ts", 'import { readVerdict } from "../runs/verdict.ts";'],
  ["src/threads/a.ts", 'import type { A } from "../contract/run_arguments.ts";'],
  ["src/threads/a.ts", 'const id = await crypto.subtle.digest("SHA-1", bytes);'],
  ["src/library/a.ts", 'import { a } from "../threads/a.ts";\nDeno.kill(1);'],
  [
    "src/engine/a.ts",
    'import { a } from "../runs/a.ts";\nimport { b } from "../supervision/b.ts";',
  ],
  ["src/mcp/a.ts", 'import { E } from "../engine/api.ts";'],
  ["src/mcp/sdk.ts", 'export { Server } from "@modelcontextprotocol/sdk/server/index.js";'],
  ["src/bridge/sdk.ts", 'export { Server } from "@modelcontextprotocol/sdk/server/index.js";'],
  ["src/bridge/a.ts", 'import type { Clock } from "../supervision/ports.ts";\nDeno.serve(f);'],
  ["src/mcp/a.ts", 'import { Buffer } from "node:buffer";'],
  ["src/host/a.ts", 'import { nativeEnv } from "../supervision/native_env.ts";\nDeno.kill(1);'],
  ["src/host/a.ts", "const now = Date.now(); setTimeout(f, 1); crypto.randomUUID();"],
  ["src/cli/main.ts", 'import { serve } from "../host/serve.ts";\nDeno.exit(0);'],
  ["mod.ts", 'import { main } from "./src/cli/main.ts";\nDeno.exit(await main(Deno.args));'],
  // Words in comments and strings, members of other objects, and times that are passed in.
  ["src/base/a.ts", '/** Like Date.now() and console.log(), but pure. */\nconst a = "Deno.exit";'],
  ["src/base/a.ts", "// setTimeout(f, 1)\nconst a = `Math.random() ${b}`;"],
  ["src/base/a.ts", "clock.setTimeout(1); this.fetch(x); const a = new Date(at);"],
  ["src/base/a.ts", "interface Words { readonly performance: number; readonly Deno: string }"],
  ["src/base/a.ts", "const resetTimeout = 1; const prefetch = (a) => a; prefetch(1);"],
  ["src/base/a.ts", 'const text = `import { a } from "../engine/a.ts"`;'],
  ["tests/runs/a_test.ts", 'import { a } from "../../src/engine/a.ts";\nDeno.test("a", () => {});'],
  ["scripts/a.ts", 'console.log(Deno.args); import "npm:x@1";'],
  // Words that only look like a machine's paths.
  [
    "README.md",
    "computer-mcp://runtime/work/v1, https://example.com/work/, /home/user/project, ./root/x",
  ],
  ["tests/a_test.ts", 'const home = "/home/someone";'],
  ["fixtures/a.ndjson", '{"cwd":"/home/user/project","file":"/tmp/work.txt"}'],
];
for (const [path, text] of GOOD) {
  Deno.test(`allowed in ${path}: ${text.slice(0, 70)}`, () => {
    assertEquals(checkSource(path, text), []);
  });
}

const BAD: readonly (readonly [...Sample, line: number, says: string])[] = [
  // Layers.
  ["src/base/a.ts", 'import { a } from "../frames/a.ts";', 1, "nothing else in src"],
  ["src/frames/a.ts", '\nimport { a } from "../runs/a.ts";', 2, "only base, not src/runs"],
  ["src/frames/a.ts", 'import type { A } from "../contract/a.ts";', 1, "not src/contract"],
  ["src/contract/a.ts", 'export { a } from "../frames/a.ts";', 1, "not src/frames"],
  ["src/contract/a.ts", 'export * from "../engine/a.ts";', 1, "not src/engine"],
  ["src/supervision/a.ts", 'const a = await import("../host/a.ts");', 1, "not src/host"],
  ["src/supervision/a.ts", 'import "../frames/a.ts";', 1, "not src/frames"],
  ["src/runs/a.ts", 'import { a } from "../supervision/a.ts";', 1, "only types"],
  ["src/runs/a.ts", 'import { type A, b } from "../supervision/a.ts";', 1, "only types"],
  ["src/runs/a.ts", 'import { a } from "../contract/a.ts";', 1, "only types"],
  ["src/runs/a.ts", 'import {\n  a,\n} from "../engine/a.ts";', 3, "not src/engine"],
  ["src/threads/a.ts", 'import { a } from "../contract/a.ts";', 1, "only types"],
  ["src/threads/a.ts", 'import { a } from "../engine/a.ts";', 1, "not src/engine"],
  ["src/threads/a.ts", "const id = crypto.randomUUID();", 1, "may not use crypto.randomUUID"],
  ["src/engine/a.ts", 'import { a } from "../threads/a.ts";', 1, "not src/threads"],
  ["src/engine/a.ts", 'import { a } from "../host/a.ts";', 1, "not src/host"],
  ["src/engine/a.ts", 'import { a } from "../mcp/a.ts";', 1, "not src/mcp"],
  ["src/mcp/a.ts", 'import { a } from "../host/a.ts";', 1, "not src/host"],
  ["src/mcp/a.ts", 'import { a } from "../cli/a.ts";', 1, "not src/cli"],
  ["src/host/a.ts", 'import { a } from "../engine/a.ts";', 1, "not src/engine"],
  ["src/host/a.ts", 'import { a } from "../contract/load_tree.ts";', 1, "not src/contract"],
  ["src/cli/a.ts", 'import { a } from "../../tests/helpers/a.ts";', 1, "outside of src"],
  ["src/cli/a.ts", 'import { a } from "../../mod.ts";', 1, "outside of src"],
  ["src/cli/a.ts", 'import { a } from "../../../other/a.ts";', 1, "outside of src"],
  ["src/utils/a.ts", "", 1, "belongs to no layer"],
  ["src/main.ts", "", 1, "belongs to no layer"],
  // Packages.
  [
    "src/mcp/a.ts",
    'import { S } from "@modelcontextprotocol/sdk/types.js";',
    1,
    "Only src/mcp/sdk.ts",
  ],
  ["mod.ts", 'import { S } from "@modelcontextprotocol/sdk/types.js";', 1, "Only src/mcp/sdk.ts"],
  ["src/executor/a.ts", "const now = Date.now();", 1, "src/executor may not use Date.now"],
  ["src/bridge/a.ts", 'import { a } from "../host/a.ts";', 1, "not src/host"],
  ["src/base/a.ts", 'import { a } from "node:path";', 1, "may not import node:path"],
  ["src/supervision/a.ts", 'const a = await import("node:fs");', 1, "may not import node:fs"],
  ["src/runs/a.ts", 'import a from "left-pad";', 1, "not left-pad"],
  ["src/runs/a.ts", 'import a from "zoda";', 1, "not zoda"],
  ["src/host/a.ts", 'import a from "npm:left-pad@1";', 1, "bypasses deno.json"],
  ["src/host/a.ts", 'import a from "https://example.com/a.ts";', 1, "bypasses deno.json"],
  // What is around a function.
  ["src/base/a.ts", "\n\nDeno.exit(1);", 3, "may not use Deno"],
  ["src/mcp/a.ts", "globalThis.Deno.exit(1);", 1, "may not use Deno"],
  ["src/engine/a.ts", "const a = Deno?.env;", 1, "may not use Deno"],
  ["src/mcp/a.ts", 'Deno["exit"](1);', 1, "may not use Deno"],
  ["src/frames/a.ts", "const a = Date.now();", 1, "may not use Date.now"],
  ["src/frames/a.ts", "const a = new Date();", 1, "may not use new Date()"],
  ["src/frames/a.ts", "const a = new Date;", 1, "may not use new Date()"],
  ["src/runs/a.ts", "const a = performance.now();", 1, "may not use performance.now"],
  ["src/runs/a.ts", "const a = Temporal.Now.instant();", 1, "may not use Temporal.Now"],
  ["src/contract/a.ts", "const a = Math.random();", 1, "may not use Math.random"],
  ["src/contract/a.ts", "const a = crypto.randomUUID();", 1, "may not use crypto.randomUUID"],
  ["src/contract/a.ts", "crypto\n  .getRandomValues(b);", 1, "may not use crypto.randomUUID"],
  ["src/supervision/a.ts", "setTimeout(f, 10);", 1, "may not use setTimeout"],
  ["src/supervision/a.ts", "const later = setInterval;", 1, "may not use setInterval"],
  ["src/supervision/a.ts", "AbortSignal.timeout(5);", 1, "may not use AbortSignal.timeout"],
  ["src/base/a.ts", "queueMicrotask(f);", 1, "may not use queueMicrotask"],
  ["src/base/a.ts", "await fetch(url);", 1, "may not use fetch"],
  ["src/base/a.ts", "globalThis.x = 1;", 1, "may not use globalThis"],
  ["src/base/a.ts", "const a = `${Date.now()}`;", 1, "may not use Date.now"],
  ["src/engine/a.ts", "setTimeout(f, 10);", 1, "may not use setTimeout"],
  ["src/engine/a.ts", "const a = Date.now();", 1, "may not use Date.now"],
  ["src/host/a.ts", 'console.log("x");', 1, "may not use console"],
  ["src/cli/a.ts", 'globalThis.console.error("x");', 1, "may not use console"],
  // Size and words.
  [
    "src/host/a.ts",
    "a;\n".repeat(MAX_SOURCE_LINES + 1),
    MAX_SOURCE_LINES + 1,
    "split it by concept",
  ],
  ["docs/A.md", `one\nrun ${WORK}/x`, 2, "path of one machine"],
  ["tests/a_test.ts", `const a = "${WORK}/x";`, 1, "path of one machine"],
  ["fixtures/a.ndjson", `{"cwd":"/ro${"ot/"}x"}`, 1, "path of one machine"],
  ["fixtures/a.ndjson", '{"cwd":"/home/jane/x"}', 1, "home folder"],
  ["src/base/a.ts", `// NAT${"IVE.md"} says`, 1, "not in this repository"],
];
for (const [path, text, line, says] of BAD) {
  Deno.test(`refused in ${path}: ${JSON.stringify(text.slice(0, 70))}`, () => {
    const [problem, ...others] = checkSource(path, text);
    assertEquals(others, [], "one problem, said once");
    assertStringIncludes(problem?.message ?? "no problem", says);
    assertEquals([problem?.path, problem?.line], [path, line]);
    assertStringIncludes(problem?.message ?? "", ": ", "says what is wrong, and what to do");
  });
}

Deno.test("a file of exactly the bound is allowed", () => {
  assertEquals(checkSource("src/host/a.ts", "a;\n".repeat(MAX_SOURCE_LINES)), []);
});

Deno.test("every problem of a file is found, in order of lines", () => {
  const text = 'import { a } from "../mcp/a.ts";\nDeno.exit(Date.now());\nconsole.log(1);\n';
  const lines = checkSource("src/base/a.ts", text).map(({ line }) => line);
  assertEquals(lines, [1, 2, 2, 3]);
});

Deno.test("findImports() finds every kind of import", () => {
  const text = [
    'import a from "a";',
    'import type { B } from "./b.ts";',
    "import {",
    "  type C,",
    "  d,",
    "} from './c.ts';",
    'import * as e from "e";',
    'import "f";',
    'export { g } from "g";',
    'export * from "h";',
    'export type { I } from "i";',
    'const j = await import("j");',
    'const from = "no"; // import k from "k"',
    'type L = import("l").L;',
    'export const m = Array.from("no");',
  ].join("\n");
  const found = findImports(text, maskCode(text));
  assertEquals(found.map((one) => `${one.line} ${one.specifier}${one.typeOnly ? " type" : ""}`), [
    "1 a",
    "2 ./b.ts type",
    "6 ./c.ts",
    "7 e",
    "8 f",
    "9 g",
    "10 h",
    "11 i type",
    "12 j",
    "14 l",
  ]);
});

Deno.test("this repository keeps its own rules", async () => {
  const { files, problems } = await checkTree(new URL("../../", import.meta.url));
  assertEquals(problems.map(({ path, line, message }) => `${path}:${line}: ${message}`), []);
  assertEquals(files > 100, true, `only ${files} files were checked`);
});
