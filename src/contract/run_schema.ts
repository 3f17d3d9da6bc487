/**
 * The arguments of `claude.run` and `claude.run.start`: the tree's `print` parameters plus what the adapter itself
 * controls.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";
import {
  DEFAULT_PAGE_EVENTS,
  DEFAULT_TIMEOUT_SECONDS,
  MAX_PAGE_EVENTS,
  MAX_TIMEOUT_SECONDS,
} from "../base/limits.ts";
import { argumentsJsonSchema, type ArgumentSpec, parseArguments } from "./arguments.ts";
import type { CliParameter } from "./cli_tree.ts";
import { encodeCommand } from "./encode_argv.ts";
import { promptChannel } from "./invocation.ts";
import { checkNativeRules } from "./native_rules.ts";
import type { RunArguments } from "./run_arguments.ts";
import { runCommand, runValues } from "./run_command.ts";
import { printCommand } from "./tree.ts";

/** What a run takes besides the tree's parameters; nothing of it becomes a native argument. */
export const EXECUTION_CONTROLS: readonly ArgumentSpec[] = [
  {
    name: "background_tasks",
    description:
      "off: sub-agents and long commands run in the foreground, so the answer is the last thing " +
      "that happens. allow: Claude may leave tasks running in the background; the run then waits for them, and " +
      "every turn they cause adds a follow-up result.",
    schema: { type: "string", enum: ["allow", "off"] },
    default: "allow",
  },
  {
    name: "timeout_seconds",
    description:
      "Deadline of the whole run in seconds, start-up included. When it passes the run is stopped.",
    schema: { type: "integer", minimum: 1, maximum: MAX_TIMEOUT_SECONDS },
    default: DEFAULT_TIMEOUT_SECONDS,
  },
  {
    name: "max_events",
    description:
      "How many native events the settled value carries at most, from the oldest kept on; event_page.next_cursor reads on.",
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_EVENTS },
    default: DEFAULT_PAGE_EVENTS,
  },
];

/** What a run assumes for a parameter that the tree requires. */
const RUN_DEFAULTS: { readonly [name: string]: string } = { permission_mode: "dontAsk" };

let specs: readonly ArgumentSpec[] | undefined;

/** The JSON Schema of a run's arguments, with descriptions and defaults; an object that admits no other members. */
export function runArgumentsJsonSchema(): JsonObject {
  return argumentsJsonSchema(runSpecs());
}

/**
 * Checks the arguments of a run and fills in defaults. A boolean that is false is left out: it means the same.
 *
 * @param input What the caller gave.
 * @throws {AdapterError} `invalid_arguments`, naming the argument, its bound, what was received and what to do.
 *
 * @example
 * ```ts
 * import { parseRunArguments } from "./run_schema.ts";
 *
 * const args = parseRunArguments({ prompt: "Say hello" });
 * console.assert(args.permission_mode === "dontAsk" && args.timeout_seconds === 600);
 * ```
 */
export function parseRunArguments(input: unknown): RunArguments {
  const values = parseArguments(runSpecs(), input);
  for (const [name, value] of Object.entries(values)) {
    if (value === false) delete values[name];
  }
  checkNativeRules(values);
  // The specs derive from the tree, and a test compares them with this interface.
  const args = values as unknown as RunArguments;
  // Relationships and byte bounds are the tree's: encoding checks them.
  encodeCommand(runCommand(promptChannel(args.prompt)), runValues(args));
  return args;
}

function runSpecs(): readonly ArgumentSpec[] {
  specs ??= [...printCommand().parameters.map(toSpec), ...EXECUTION_CONTROLS];
  return specs;
}

function toSpec(parameter: CliParameter): ArgumentSpec {
  const { name, schema, required = false } = parameter;
  const spec = { name, description: describe(parameter), schema };
  const fallback = RUN_DEFAULTS[name];
  if (fallback !== undefined) return { ...spec, default: fallback };
  // A one-way flag is a plain boolean here: over MCP false is simply "no".
  if (schema.type === "boolean" && schema.const === true) {
    return { ...spec, schema: { type: "boolean" }, default: false };
  }
  return { ...spec, required };
}

/** JSON Schema has no word for what excludes what, so the description says it. */
function describe({ description = "", conflicts = [] }: CliParameter): string {
  return conflicts.length === 0 ? description : `${description} Not with ${conflicts.join(", ")}.`;
}
