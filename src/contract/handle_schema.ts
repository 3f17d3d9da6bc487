/**
 * The arguments of the tools that take a run's handle.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";
import {
  DEFAULT_PAGE_EVENTS,
  MAX_PAGE_BYTES,
  MAX_PAGE_EVENTS,
  MAX_WAIT_SECONDS,
  MIN_PAGE_BYTES,
} from "../base/limits.ts";
import { argumentsJsonSchema, type ArgumentSpec, parseArguments } from "./arguments.ts";

/** Arguments of cancel and release. */
export interface RunIdArguments {
  readonly run_id: string;
}

/** Arguments of result. */
export interface ResultArguments extends RunIdArguments {
  readonly max_events: number;
  readonly wait_seconds: number;
}

/** Arguments of events. */
export interface EventsArguments extends RunIdArguments {
  readonly after_cursor: number;
  readonly limit: number;
  readonly max_bytes: number;
  readonly wait_seconds: number;
}

/** A tool's arguments: what is shown and what is applied. */
export interface ArgumentsContract<T> {
  /** The JSON Schema, an object that admits no other members. */
  readonly jsonSchema: () => JsonObject;
  /** Checks and fills in defaults; throws `invalid_arguments`. */
  readonly parse: (input: unknown) => T;
}

const RUN_ID: ArgumentSpec = {
  name: "run_id",
  description: "The run_id that claude.run.start, claude.run or claude.run.list gave.",
  schema: { type: "string", minLength: 1, maxLength: 256 },
  required: true,
};

function waitSeconds(until: string): ArgumentSpec {
  return {
    name: "wait_seconds",
    description:
      `How many seconds to wait for ${until}; 0 answers at once. Returns as soon as it happens.`,
    schema: { type: "number", minimum: 0, maximum: MAX_WAIT_SECONDS },
    default: 0,
  };
}

/** Arguments of `claude.run.result`. */
export const RESULT_ARGUMENTS: ArgumentsContract<ResultArguments> = contract([
  RUN_ID,
  {
    name: "max_events",
    description:
      "How many native events a settled value includes at most, from the oldest kept on; " +
      "event_page.next_cursor reads on with claude.run.events.",
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_EVENTS },
    default: DEFAULT_PAGE_EVENTS,
  },
  waitSeconds("the run to settle"),
]);

/** Arguments of `claude.run.events`. */
export const EVENTS_ARGUMENTS: ArgumentsContract<EventsArguments> = contract([
  RUN_ID,
  {
    name: "after_cursor",
    description:
      "Only events newer than this cursor: 0 for the first page, then the page's next_cursor.",
    schema: { type: "integer", minimum: 0 },
    default: 0,
  },
  {
    name: "limit",
    description: "How many events the page holds at most.",
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_EVENTS },
    default: DEFAULT_PAGE_EVENTS,
  },
  {
    name: "max_bytes",
    description: "How many bytes of events, as JSON, the page holds at most.",
    schema: { type: "integer", minimum: MIN_PAGE_BYTES, maximum: MAX_PAGE_BYTES },
    default: MAX_PAGE_BYTES,
  },
  waitSeconds("a newer event, or for the run to settle"),
]);

/** Arguments of `claude.run.cancel` and `claude.run.release`. */
export const RUN_ID_ARGUMENTS: ArgumentsContract<RunIdArguments> = contract([RUN_ID]);

/** Arguments of `claude.run.list`: none. */
export const LIST_ARGUMENTS: ArgumentsContract<Record<string, never>> = contract([]);

function contract<T>(specs: readonly ArgumentSpec[]): ArgumentsContract<T> {
  return {
    jsonSchema: () => argumentsJsonSchema(specs),
    // The specs above say the same as the interface; a test compares them.
    parse: (input) => parseArguments(specs, input) as unknown as T,
  };
}
