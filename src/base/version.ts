/**
 * The program's own version, read from `deno.json` so that it stands in one place.
 *
 * @module
 */
import config from "../../deno.json" with { type: "json" };

/** The version of this program, such as `0.1.0`. */
export const VERSION: string = config.version;

/** The name of the program, its binary and its MCP server. */
export const PROGRAM_NAME = "claude-code-adapter";
