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

/** A value as an argument of its own; an array gives one argument per item. */
export interface PositionalToken {
  readonly kind: "positional";
  readonly parameter: string;
}

/** A named value; an array without items gives no arguments at all. */
export interface OptionToken {
  readonly kind: "option";
  readonly parameter: string;
  readonly flag: string;
  /**
   * `separate`: `--flag value`, of an array `--flag a b`; `repeated`: `--flag a --flag b`; `equals`: `--flag=a --flag=b`,
   * the only style that can pass a value which starts with a hyphen.
   */
  readonly style: "separate" | "repeated" | "equals";
}

/** A boolean: `flag` when it is true, `inverse` when it is false. Without an inverse it can only be given as `true`. */
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

/** What a command can do at most. */
export type RiskHint =
  | "read-only"
  | "workspace-write"
  | "external-write"
  | "destructive"
  | "full-shell";

/** One command, or one group of commands (`executable: false`). */
export interface CliCommand {
  /** 1 to 64 of `[A-Za-z0-9_-]`, unique in the tree. */
  readonly id: string;
  /**
   * The command's place in the tree, unique; empty is the program itself. Its words are arguments only where `argv` says
   * them as literals.
   */
  readonly path: readonly string[];
  readonly description: string;
  readonly executable: boolean;
  readonly parameters: readonly CliParameter[];
  /** Every argument in order, the command's words included. */
  readonly argv: readonly ArgvToken[];
  readonly stdout: "text" | "binary" | "json";
  readonly stdin?: StdinMapping;
  /** Of the JSON that it prints. */
  readonly output_schema?: ValueSchema;
  /** Arguments that show the command's help. */
  readonly help_argv?: readonly string[];
  /** A parameter that is mapped to a flag. */
  readonly dry_run_parameter?: string;
  /** The publisher's word; it grants nothing. */
  readonly risk_hint?: RiskHint;
}

/** A call of the executable that has to print exactly this text before it is trusted. */
export interface TextCheck {
  /** 1 to 128 arguments, at most 64 KiB with their terminators. */
  readonly args: readonly string[];
  /** Exact, with its newline; at most 64 KiB. */
  readonly stdout: string;
}

/** The same by its digest, for an output that is long or no text. */
export interface DigestCheck {
  /** As in {@linkcode TextCheck}. */
  readonly args: readonly string[];
  /** SHA-256 of the exact output, 64 lower-case hexadecimal digits. */
  readonly stdout_sha256: string;
}

/** One of the two; never both. */
export type TreeCheck = TextCheck | DigestCheck;

/** A whole tree. */
export interface CliTree {
  readonly format_version: 1;
  readonly source: string;
  readonly executable_version: string;
  readonly coverage: "complete" | "partial";
  /** What the tree leaves out, by name: nonempty when `coverage` is partial, empty when it is complete. */
  readonly omissions: readonly string[];
  /** At most 4. */
  readonly executable_checks?: readonly TreeCheck[];
  readonly commands: readonly CliCommand[];
}

/** Bounds of the format. */
export const TREE_LIMITS = {
  /** The document as compact JSON. */
  documentBytes: 4 * 1024 * 1024,
  /** Levels of the document, as much as the JSON decoders of hosts take. */
  documentDepth: 512,
  /** Commands and groups of the document. */
  nodes: 4096,
  /** Words of a command's path. */
  pathWords: 32,
  /** Parameters of one command. */
  parameters: 256,
  /** Tokens of one command. */
  tokens: 1024,
  /** Levels of a schema. */
  schemaDepth: 16,
  /** Values of one enum. */
  enumValues: 1024,
  /** Checks of the executable. */
  checks: 4,
  /** Arguments of one check. */
  checkArgs: 128,
  /** Arguments of one check in UTF-8, a terminator each. */
  checkArgBytes: 64 * 1024,
  /** The expected text of one check in UTF-8. */
  checkTextBytes: 64 * 1024,
  /** Arguments of one invocation. */
  argvCount: 16_384,
  /** All arguments of one invocation in UTF-8, a terminator each. */
  argvBytes: 1024 * 1024,
  /** What one invocation writes to standard input. */
  stdinBytes: 4 * 1024 * 1024,
  /** Levels of a value that is written to standard input as JSON. */
  stdinDepth: 512,
  /** Diagnostics in one report. */
  diagnostics: 100,
} as const;
