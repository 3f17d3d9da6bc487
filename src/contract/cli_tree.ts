/**
 * The shape of `cli-tree.json`: which commands a pinned CLI offers and how their parameters become
 * arguments. Hosts read the same file, so this format is an interface.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";

/** The JSON types a value schema can name. */
export type ValueType =
  | "string"
  | "integer"
  | "number"
  | "boolean"
  | "null"
  | "array"
  | "object";

/** The subset of JSON Schema that a tree may use; any other keyword is an error. */
export interface ValueSchema {
  readonly type: ValueType;
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  /** Characters, that is code points. */
  readonly minLength?: number;
  /** Characters, that is code points. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: ValueSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** One parameter of a command. */
export interface CliParameter {
  readonly name: string;
  readonly schema: ValueSchema;
  readonly description?: string;
  /** @default {false} */
  readonly required?: boolean;
  /** What the CLI itself assumes; documentation only, never inserted. */
  readonly default?: JsonValue;
  /** Whether the value must not be shown. @default {false} */
  readonly secret?: boolean;
  /** Parameters that must not be supplied together with this one; holds in both directions. */
  readonly conflicts?: readonly string[];
  /** Parameters that must be supplied together with this one. */
  readonly requires?: readonly string[];
}

/** An argument that is always there. */
export interface LiteralToken {
  readonly kind: "literal";
  readonly value: string;
}

/** A value as an argument of its own; an array parameter gives one argument per item. */
export interface PositionalToken {
  readonly kind: "positional";
  readonly parameter: string;
}

/** `--flag value`, `--flag a --flag b` (an array parameter), or `--flag=value`. */
export interface OptionToken {
  readonly kind: "option";
  readonly parameter: string;
  readonly flag: string;
  readonly style: "separate" | "repeated" | "equals";
}

/** A boolean; without `inverse` it is one-way and can only be given as `true`. */
export interface FlagToken {
  readonly kind: "flag";
  readonly parameter: string;
  readonly flag: string;
  readonly inverse?: string;
}

/** One step of the mapping from parameters to arguments, in order. */
export type ArgvToken = LiteralToken | PositionalToken | OptionToken | FlagToken;

/** The parameter that goes to standard input, and how. */
export interface StdinMapping {
  readonly parameter: string;
  /** `base64`: the value is base64 text and its bytes are written. */
  readonly encoding: "utf8" | "base64" | "json";
}

/** One command, or one group of commands (`executable: false`). */
export interface CliCommand {
  /** 1 to 64 of `[A-Za-z0-9_-]`, unique in the tree. */
  readonly id: string;
  /** The words before the mapped arguments; empty is the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly executable: boolean;
  readonly parameters: readonly CliParameter[];
  readonly argv: readonly ArgvToken[];
  readonly stdout: "text" | "binary" | "json";
  readonly stdin?: StdinMapping;
  readonly output_schema?: ValueSchema;
  readonly help_argv?: readonly string[];
  readonly dry_run_parameter?: string;
  readonly risk_hint?: string;
}

/** A call of the executable that has to print exactly this before it is trusted. */
export interface TreeCheck {
  readonly args: readonly string[];
  /** Exact, with its newline. */
  readonly stdout: string;
}

/** A whole tree. */
export interface CliTree {
  readonly format_version: 1;
  readonly source: string;
  readonly executable_version: string;
  readonly coverage: "complete" | "partial";
  /** What the tree leaves out, by name; nonempty when `coverage` is partial. */
  readonly omissions?: readonly string[];
  readonly executable_checks?: readonly TreeCheck[];
  readonly commands: readonly CliCommand[];
}

/** Bounds of the format. */
export const TREE_LIMITS = {
  /** The document as compact JSON. */
  documentBytes: 4 * 1024 * 1024,
  /** Commands plus schema nodes of the whole document. */
  nodes: 4096,
  /** Parameters of one command. */
  parameters: 256,
  /** Tokens of one command. */
  tokens: 1024,
  /** Levels of a schema. */
  schemaDepth: 16,
  /** Arguments of one invocation. */
  argvCount: 16_384,
  /** All arguments of one invocation in UTF-8. */
  argvBytes: 1024 * 1024,
  /** What one invocation writes to standard input. */
  stdinBytes: 4 * 1024 * 1024,
} as const;
