import { assert, assertEquals } from "@std/assert";
import { printCommand } from "../../src/contract/tree.ts";
import { VERIFY_SUITE } from "../../src/contract/verification.ts";
import { checkIds, LAST_CHECKS, SUITE } from "../../src/verify/suite.ts";

/** The checks of each number that a receipt may carry. Raise VERIFY_SUITE instead of changing a list. */
const SUITES: { readonly [number: number]: string } = {
  1: `version.text
    option.prompt option.permission_mode option.model option.effort option.append_system_prompt
    option.max_budget_usd option.resume_session_id option.continue_previous option.session_id
    option.no_session_persistence prompt.long
    permission_mode.dontAsk permission_mode.plan permission_mode.acceptEdits
    effort.low effort.medium effort.high effort.xhigh effort.max
    denial.event denial.result
    session.unknown session.taken
    stream.lines stream.init stream.deltas stream.assistant stream.tool_result stream.result
    stream.session stream.api_retry
    print.json print.foreground
    failure.verdict failure.refused failure.limited failure.signed_out
    background.follow_up background.events
    stop.tools stop.exit
    input.stream_json tools.none mcp.call mcp.allowed mcp.strict settings.none json_schema.output
    max_turns.stop bare.minimal
    network.loopback clean_up.confirmed`,
};

Deno.test("the number of the suite stands for exactly these checks", () => {
  assertEquals(checkIds(), SUITES[VERIFY_SUITE]?.split(/\s+/));
});

Deno.test("no id is given twice", () => {
  assertEquals(new Set(checkIds()).size, checkIds().length);
});

Deno.test("every parameter of the tree has a check, and so has every word it can be", () => {
  const ids = new Set(checkIds());
  for (const { name, schema } of printCommand().parameters) {
    assert(ids.has(`option.${name}`), `no check for the parameter ${name}`);
    for (const word of schema.enum ?? []) {
      assert(ids.has(`${name}.${word}`), `no check for ${name}=${word}`);
    }
  }
});

Deno.test("every check says what holds and what breaks", () => {
  for (const { id, title, relies } of [...SUITE, ...LAST_CHECKS]) {
    for (const text of [title, relies]) {
      assert(text.length > 10 && !text.endsWith("."), `${id}: '${text}'`);
    }
  }
});
