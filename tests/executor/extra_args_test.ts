import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AdapterError } from "../../src/base/errors.ts";
import { type ExtraArgs, extraArgv } from "../../src/executor/extra_args.ts";

Deno.test("each allowed option has its values behind its equals sign", () => {
  const table: readonly (readonly [ExtraArgs, readonly string[]])[] = [
    [{}, []],
    [{ "--effort": "high" }, ["--effort=high"]],
    [{ "--agent": "my agent" }, ["--agent=my agent"]],
    [{ "--betas": ["a-1", "b-2"] }, ["--betas=a-1", "--betas=b-2"]],
    [{ "--json-schema": '{"a":"-x"}' }, ['--json-schema={"a":"-x"}']],
    [{ "--name": "a, b = c" }, ["--name=a, b = c"]],
    [{ "--prompt-suggestions": true }, ["--prompt-suggestions"]],
    [{ "--prompt-suggestions": false }, ["--prompt-suggestions=false"]],
  ];
  for (const [extra, argv] of table) assertEquals(extraArgv(extra), argv);
});

Deno.test("other options, other numbers of values, and values that could be options are refused", () => {
  const table: readonly (readonly [unknown, string])[] = [
    [5, "must be an object"],
    [["--effort"], "must be an object"],
    [{ "--model": "x" }, "'--model' is not allowed"],
    [{ "--dangerously-skip-permissions": true }, "is not allowed"],
    [{ "--tools": "Bash" }, "is not allowed"],
    [{ "--resume": "x" }, "is not allowed"],
    [{ effort: "high" }, "is not allowed"],
    [{ constructor: "x" }, "is not allowed"],
    [JSON.parse('{"__proto__":"x"}'), "is not allowed"],
    [{ "--effort": "-high" }, "begins with '-'"],
    [{ "--effort": "turbo" }, "one of low"],
    [{ "--effort": ["high"] }, "takes text"],
    [{ "--effort": "" }, "takes text"],
    [{ "--agent": true }, "takes text"],
    [{ "--betas": "a" }, "takes a list"],
    [{ "--betas": [] }, "takes a list"],
    [{ "--betas": ["a", "--model=evil"] }, "begins with '-'"],
    [{ "--betas": Array(17).fill("a") }, "1 to 16"],
    [{ "--name": "a\nb" }, "control characters"],
    [{ "--name": "a\0b" }, "control characters"],
    [{ "--name": "\ud800" }, "surrogate"],
    [{ "--name": "x".repeat(131_072) }, "131071 bytes"],
    [{ "--prompt-suggestions": "yes" }, "true or false"],
  ];
  for (const [extra, says] of table) {
    const error = assertThrows(() => extraArgv(extra as ExtraArgs), AdapterError);
    assertEquals(error.code, "invalid_arguments");
    assertStringIncludes(error.message, says);
  }
});
