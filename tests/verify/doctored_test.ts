/** The real CLI with one thing changed: exactly the checks that are about it fail, and say what it is. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { installNative } from "../../scripts/native/install.ts";
import type { Check } from "../../src/verify/check.ts";
import type { Experiment } from "../../src/verify/experiment.ts";
import { bare } from "../../src/verify/experiments/bare.ts";
import { bridge } from "../../src/verify/experiments/bridge.ts";
import { conversation } from "../../src/verify/experiments/conversation.ts";
import { background } from "../../src/verify/experiments/background.ts";
import { edited } from "../../src/verify/experiments/modes.ts";
import { overBudget } from "../../src/verify/experiments/budget.ts";
import { plain } from "../../src/verify/experiments/plain.ts";
import { printed } from "../../src/verify/experiments/printed.ts";
import { stopped } from "../../src/verify/experiments/stopped.ts";
import { structured } from "../../src/verify/experiments/structured.ts";
import { unsaved } from "../../src/verify/experiments/unsaved.ts";
import { SUITE } from "../../src/verify/suite.ts";
import { inPlace, openLab } from "./world.ts";

interface Doctored {
  readonly what: string;
  /** A shell program; `$REAL` is the real CLI. */
  readonly program: string;
  readonly experiment: Experiment<unknown>;
  /** The checks that fail, and what each of them names. */
  readonly fails: { readonly [id: string]: string };
}

/** Leaves out the arguments that the pattern matches. */
function without(pattern: string): string {
  return `for arg do
  shift
  case "$arg" in ${pattern}) ;; *) set -- "$@" "$arg" ;; esac
done
exec "$REAL" "$@"`;
}

/** Changes the output with `sed`, and keeps the exit code. */
function saying(script: string): string {
  return `{ "$REAL" "$@"; echo $? > "$TMPDIR/code"; } | sed -u '${script}'
exit "$(cat "$TMPDIR/code")"`;
}

const CASES: readonly Doctored[] = [
  { what: "is the real one", program: `exec "$REAL" "$@"`, experiment: plain, fails: {} },
  {
    what: "ignores --effort",
    program: without("--effort=*"),
    experiment: edited,
    fails: { "effort.max": "--effort=max" },
  },
  {
    what: "takes one level of effort for another",
    program: `for arg do
  shift
  [ "$arg" = --effort=medium ] && arg=--effort=high
  set -- "$@" "$arg"
done
exec "$REAL" "$@"`,
    experiment: conversation,
    fails: { "option.effort": "--effort=medium", "effort.medium": "--effort=medium" },
  },
  {
    what: "ignores --continue",
    program: without("--continue"),
    experiment: conversation,
    fails: { "option.continue_previous": "--continue" },
  },
  {
    what: "ignores --session-id",
    program: without("--session-id=*"),
    experiment: plain,
    fails: { "option.session_id": "--session-id" },
  },
  {
    what: "ignores --append-system-prompt",
    program: without("--append-system-prompt=*"),
    experiment: plain,
    fails: { "option.append_system_prompt": "--append-system-prompt" },
  },
  {
    what: "ignores --model",
    program: without("--model=*"),
    experiment: plain,
    fails: { "option.model": "--model" },
  },
  {
    what: "ignores --include-partial-messages",
    program: without("--include-partial-messages"),
    experiment: plain,
    fails: { "stream.deltas": "stream_event" },
  },
  {
    what: "says another subtype",
    program: saying('s/"subtype":"success"/"subtype":"fine"/g'),
    experiment: plain,
    fails: { "stream.result": "'subtype' is 'fine'" },
  },
  {
    what: "says another mode",
    program: saying('s/"permissionMode":"dontAsk"/"permissionMode":"plan"/g'),
    experiment: plain,
    fails: {
      "option.permission_mode": "permissionMode",
      "permission_mode.dontAsk": "permissionMode",
    },
  },
  {
    what: "prints a line that is no JSON",
    program: `echo "Welcome!"\nexec "$REAL" "$@"`,
    experiment: plain,
    fails: { "stream.lines": "Welcome!" },
  },
  {
    what: "ends with exit code 0 when the budget is used up",
    program: `"$REAL" "$@"\nexit 0`,
    experiment: overBudget,
    fails: { "option.max_budget_usd": "the exit code is 0 instead of 1" },
  },
  {
    what: "ignores --max-budget-usd",
    program: without("--max-budget-usd=*"),
    experiment: overBudget,
    fails: { "option.max_budget_usd": "--max-budget-usd" },
  },
  {
    what: "saves every conversation",
    program: without("--no-session-persistence"),
    experiment: unsaved,
    fails: { "option.no_session_persistence": "--no-session-persistence" },
  },
  {
    what: "has background tasks all the same",
    program: `unset CLAUDE_CODE_DISABLE_BACKGROUND_TASKS\nexec "$REAL" "$@"`,
    experiment: printed,
    fails: { "print.foreground": "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS" },
  },
  {
    what: "says no origin of a follow-up",
    program: saying('s/"origin":{/"cause":{/g'),
    experiment: background,
    fails: { "background.follow_up": "origin" },
  },
  {
    what: "dies at SIGTERM before it has ended its tool",
    program: `"$REAL" "$@" & trap 'kill -9 $!; exit 143' TERM; wait`,
    experiment: stopped,
    fails: { "stop.tools": "the CLI did not end its tool itself" },
  },
  {
    what: "ignores --tools",
    program: without("--tools=*"),
    experiment: bridge,
    // With the CLI's own tools, those of servers have to be searched for first.
    fails: { "tools.none": "--tools=", "mcp.call": "--mcp-config" },
  },
  {
    what: "ignores --strict-mcp-config",
    program: without("--strict-mcp-config"),
    experiment: structured,
    fails: { "mcp.strict": "--strict-mcp-config" },
  },
  {
    what: "ignores --allowedTools",
    program: without("--allowedTools=*"),
    experiment: bridge,
    fails: { "mcp.allowed": "--allowedTools", "mcp.call": "--mcp-config" },
  },
  {
    what: "ignores --setting-sources",
    program: without("--setting-sources=*"),
    experiment: bridge,
    fails: { "settings.none": "--setting-sources=" },
  },
  {
    what: "ignores --max-turns",
    program: without("--max-turns=*"),
    experiment: bare,
    fails: { "max_turns.stop": "--max-turns=1" },
  },
  {
    what: "ignores --bare",
    program: without("--bare"),
    experiment: bare,
    fails: { "bare.minimal": "--bare" },
  },
  {
    what: "ignores --json-schema",
    program: without("--json-schema=*"),
    experiment: structured,
    fails: { "json_schema.output": "structured_output" },
  },
];

for (const { what, program, experiment, fails } of CASES) {
  Deno.test(`a CLI that ${what}: ${Object.keys(fails).join(", ") || "every check passes"}`, async () => {
    const real = await installNative();
    await inPlace(`REAL='${real}'\n${program}`, async (place) => {
      const lab = openLab(place);
      const about = (check: Check) => check.experiments.includes(experiment);
      const found: { [id: string]: string } = {};
      for (const check of SUITE.filter(about)) {
        const finding = await check.run(lab);
        if (finding !== null) found[check.id] = finding;
      }
      assertEquals(
        Object.keys(found).toSorted(),
        Object.keys(fails).toSorted(),
        JSON.stringify(found),
      );
      for (const [id, text] of Object.entries(fails)) assertStringIncludes(found[id] ?? "", text);
      assertEquals(lab.records.every(({ cleanup }) => cleanup.confirmed), true);
    });
  });
}
