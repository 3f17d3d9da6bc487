/**
 * The tools, in the order in which hosts see them.
 *
 * @module
 */
import { CANCEL_TOOL, EVENTS_TOOL, LIST_TOOL, RELEASE_TOOL, RESULT_TOOL } from "./handle_tools.ts";
import { RUN_TOOL, START_TOOL } from "./run_tools.ts";
import type { ToolEntry } from "./tool_entry.ts";

/** Every tool, by name in `name`. */
export const TOOLS: readonly ToolEntry[] = [
  RUN_TOOL,
  START_TOOL,
  LIST_TOOL,
  RESULT_TOOL,
  EVENTS_TOOL,
  CANCEL_TOOL,
  RELEASE_TOOL,
];
