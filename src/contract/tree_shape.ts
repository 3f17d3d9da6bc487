/**
 * Which members the parts of a tree have and of what JSON type they are; the rules between them are elsewhere.
 *
 * @module
 */
import { z } from "zod";
import { isObject } from "../base/json.ts";
import { quoteName } from "./argument_error.ts";
import { pointer } from "./pointer.ts";
import type { Place, TreeCode } from "./tree_diagnostic.ts";

const text = z.string();
const texts = z.array(text);
/** Looked at by the part's own check, which knows where in the document it is. */
const later = z.unknown();
const list = z.array(later);

/** The document. */
export const TREE_SHAPE = z.strictObject({
  format_version: z.number(),
  source: text,
  executable_version: text,
  coverage: z.enum(["complete", "partial"]),
  omissions: texts,
  executable_checks: list.optional(),
  commands: list,
});

/** One check of the executable. */
export const CHECK_SHAPE = z.strictObject({
  args: texts,
  stdout: text.optional(),
  stdout_sha256: text.optional(),
});

/** One command or group. */
export const COMMAND_SHAPE = z.strictObject({
  id: text,
  path: texts,
  description: text,
  executable: z.boolean(),
  parameters: list,
  argv: list,
  stdout: z.enum(["text", "binary", "json"]),
  stdin: z.strictObject({ parameter: text, encoding: z.enum(["utf8", "base64", "json"]) })
    .optional(),
  output_schema: later.optional(),
  help_argv: texts.optional(),
  dry_run_parameter: text.optional(),
  risk_hint: z.enum([
    "read-only",
    "workspace-write",
    "external-write",
    "destructive",
    "full-shell",
  ]).optional(),
});

/** One parameter. */
export const PARAMETER_SHAPE = z.strictObject({
  name: text,
  schema: later,
  description: text.optional(),
  required: z.boolean().optional(),
  default: later.optional(),
  secret: z.boolean().optional(),
  conflicts: texts.optional(),
  requires: texts.optional(),
});

/** One step of the mapping, of any kind. */
export const TOKEN_SHAPE = z.strictObject({
  kind: z.enum(["literal", "positional", "option", "flag"]),
  value: text.optional(),
  parameter: text.optional(),
  flag: text.optional(),
  inverse: text.optional(),
  style: z.enum(["separate", "repeated", "equals"]).optional(),
});

/**
 * Reports every member of `value` that is unknown, missing or of the wrong type.
 *
 * @returns The members that are sound, so that rules about them can be checked all the same; `null` when `value` is no
 * object.
 */
export function readShape<S extends z.ZodObject>(
  shape: S,
  value: unknown,
  place: Place,
): Partial<z.infer<S>> | null {
  const { error } = shape.safeParse(value);
  const unsound = new Set<PropertyKey>();
  const issues = error?.issues ?? [];
  // Hosts, which stop at the first fault, look for unknown members first.
  const isUnknown = ({ code }: z.core.$ZodIssue) => code === "unrecognized_keys";
  for (const issue of [...issues.filter(isUnknown), ...issues.filter((one) => !isUnknown(one))]) {
    for (const { path, code, message } of faultsOf(issue, value)) {
      const at = path.reduce<string>((above, key) => pointer(above, String(key)), place.at);
      place.faults.error(code, at, message);
      if (path[0] !== undefined) unsound.add(path[0]);
    }
  }
  if (!isObject(value)) return null;
  const sound = Object.entries(value).filter(([name]) => !unsound.has(name));
  return Object.fromEntries(sound) as Partial<z.infer<S>>;
}

interface ShapeFault {
  readonly path: readonly PropertyKey[];
  readonly code: TreeCode;
  readonly message: string;
}

function faultsOf(issue: z.core.$ZodIssue, root: unknown): readonly ShapeFault[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      path: [...path, key],
      code: "clitree.document.unknown_field",
      message: `the format has no member ${quoteName(key)} here; remove it`,
    }));
  }
  if (isMissing(root, path)) {
    return [{ path, code: "clitree.document.missing_field", message: "must be there; add it" }];
  }
  if (issue.code === "invalid_value") {
    const isText = typeof valueAt(root, path) === "string";
    return [{
      path,
      code: isText ? "clitree.document.encoding" : "clitree.document.type",
      message: `must be one of ${issue.values.map((word) => JSON.stringify(word)).join(", ")}`,
    }];
  }
  const expected = issue.code === "invalid_type" ? issue.expected : "string";
  return [{
    path,
    code: "clitree.document.type",
    message: `must be ${NAMES[expected] ?? `of type ${expected}`}`,
  }];
}

const NAMES: { readonly [type: string]: string } = {
  array: "an array",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  string: "a string",
};

function isMissing(root: unknown, path: readonly PropertyKey[]): boolean {
  const key = path.at(-1);
  const parent = valueAt(root, path.slice(0, -1));
  return key !== undefined && isObject(parent) && !Object.hasOwn(parent, key);
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    root,
  );
}
