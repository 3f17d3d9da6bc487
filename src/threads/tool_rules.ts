/**
 * Permission rules, such as `Bash(git log *)` or `mcp__server`.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";

/** Rules of one list. */
export const MAX_TOOL_RULES = 256;
const MAX_RULE_CHARS = 1_000;

/**
 * A tool's name, and what of it in one pair of parentheses. The CLI splits a list at commas and spaces outside of
 * parentheses, and takes the first `)` for their end (measured: `Bash(a (b) Write` is a rule for all of Write). So there
 * is no second parenthesis, and nothing before or after.
 */
const RULE =
  /^[A-Za-z][\w.:*-]*(?:\([^()\p{Cc}\p{Zl}\p{Zp}]*[^()\s\p{Cc}][^()\p{Cc}\p{Zl}\p{Zp}]*\))?$/u;

/**
 * The value of an option that takes a list of rules.
 *
 * @throws {AdapterError} `invalid_arguments` for a rule that the CLI would read as another one, or as several.
 */
export function toolRules(name: string, rules: readonly string[]): string {
  if (!Array.isArray(rules) || rules.length > MAX_TOOL_RULES) {
    throw new AdapterError(
      "invalid_arguments",
      `Invalid argument '${name}': it must be a list of at most ${MAX_TOOL_RULES} rules`,
    );
  }
  const wrong = rules.findIndex((rule) =>
    typeof rule !== "string" || rule.length > MAX_RULE_CHARS || !RULE.test(rule) ||
    !rule.isWellFormed()
  );
  if (wrong === -1) return rules.join(",");
  throw new AdapterError(
    "invalid_arguments",
    `Invalid argument '${name}': rule ${wrong} must be a tool's name, as in mcp__server__tool, or a name with one pair of parentheses, as in Bash(git log *), without more parentheses or control characters, and at most ${MAX_RULE_CHARS} characters`,
  );
}
