/**
 * Which members a tree has and of what kind they are; the rules between them are in `load_tree.ts`.
 *
 * @module
 */
import { z } from "zod";
import type { JsonValue } from "../base/json.ts";
import { pointer, treeFault } from "./tree_fault.ts";

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 of A-Z a-z 0-9 _ -");
const text = z.string().min(1, "must not be empty");
const argument = z.string().refine((value) => !value.includes("\0"), "must not contain NUL");
/** A word that nobody can take for an option. */
const word = argument.regex(/^[^-]/, "must not be empty or start with a hyphen");
const flag = argument.regex(
  /^--?[^-=\s][^=\s]*$/,
  "must be an option name such as --model, without a value",
);
/** Checked by `load_schema.ts`, which knows where in the document it is. */
const schema = z.unknown();

const token = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("literal"), value: argument }),
  z.strictObject({ kind: z.literal("positional"), parameter: id }),
  z.strictObject({
    kind: z.literal("option"),
    parameter: id,
    flag,
    style: z.enum(["separate", "repeated", "equals"]),
  }),
  z.strictObject({ kind: z.literal("flag"), parameter: id, flag, inverse: flag.optional() }),
]);

const parameter = z.strictObject({
  name: id,
  schema,
  description: text.optional(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  secret: z.boolean().optional(),
  conflicts: z.array(id).optional(),
  requires: z.array(id).optional(),
});

const command = z.strictObject({
  id,
  path: z.array(word),
  description: text,
  executable: z.boolean(),
  parameters: z.array(parameter),
  argv: z.array(token),
  stdout: z.enum(["text", "binary", "json"]),
  stdin: z.strictObject({ parameter: id, encoding: z.enum(["utf8", "base64", "json"]) }).optional(),
  output_schema: schema.optional(),
  help_argv: z.array(argument).optional(),
  dry_run_parameter: id.optional(),
  risk_hint: text.optional(),
});

const tree = z.strictObject({
  format_version: z.literal(1),
  source: text,
  executable_version: text,
  coverage: z.enum(["complete", "partial"]),
  omissions: z.array(text).optional(),
  executable_checks: z.array(z.strictObject({ args: z.array(argument), stdout: z.string() }))
    .optional(),
  commands: z.array(command),
});

/** Throws `invalid_configuration` when a member is missing, unknown or of the wrong kind. */
export function checkTreeShape(document: JsonValue): void {
  const { error } = tree.safeParse(document);
  if (error === undefined) return;
  const issue = error.issues[0];
  const at = (issue?.path ?? []).reduce<string>((path, key) => pointer(path, String(key)), "");
  treeFault(at, issue?.message ?? "it is not a tree");
}
