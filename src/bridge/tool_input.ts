/**
 * What a lent tool takes: the schema to list, and the check of what comes.
 *
 * @module
 */
import { z } from "zod";
import { AdapterError, messageOf } from "../base/errors.ts";
import { cutText, isObject, jsonCopy, type JsonObject } from "../base/json.ts";
import { visible, visibleSentence } from "../base/visible.ts";
import { type Checked, jsonSchemaCheck } from "./json_schema.ts";
import type { LentTool, ZodSchema } from "./lent_tool.ts";

/** Both sides of a tool's input. */
export interface ToolInput {
  /** The JSON Schema of an object. */
  readonly schema: JsonObject;
  /** Never throws; a schema with a fault of its own says that the input is wrong. */
  readonly check: (input: unknown) => Promise<Checked>;
}

/**
 * Prepares the input of a tool.
 *
 * @throws {AdapterError} `invalid_arguments` when it is neither a JSON Schema nor a zod schema of an object.
 */
export function toolInput({ name, inputSchema }: LentTool): ToolInput {
  const what = `'inputSchema' of the tool '${visible(name)}'`;
  const { schema, check } = isZod(inputSchema)
    ? zodInput(inputSchema, what)
    : jsonInput(inputSchema as JsonObject, what);
  if (schema.type !== "object") {
    throw new AdapterError(
      "invalid_arguments",
      `Invalid ${what}: its 'type' must be 'object', since a call's arguments are one`,
    );
  }
  return {
    schema,
    check: async (input) => {
      try {
        return await check(input);
      } catch (caught) {
        return { ok: false, message: visibleSentence(messageOf(caught)) };
      }
    },
  };
}

function isZod(schema: JsonObject | ZodSchema): schema is ZodSchema & z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema &&
    typeof (schema as ZodSchema & z.ZodType).safeParseAsync === "function";
}

function jsonInput(given: JsonObject, what: string) {
  let schema = given;
  try {
    if (isObject(given)) schema = jsonCopy(given);
  } catch (caught) {
    throw new AdapterError(
      "invalid_arguments",
      `Invalid ${what}: it is no JSON (${visibleSentence(messageOf(caught))})`,
    );
  }
  return { schema, check: jsonSchemaCheck(schema, what) };
}

function zodInput(schema: z.ZodType, what: string) {
  let json: unknown;
  try {
    json = z.toJSONSchema(schema, { io: "input" });
  } catch (caught) {
    throw new AdapterError(
      "invalid_arguments",
      `Invalid ${what}: it cannot be said as JSON Schema (${messageOf(caught)})`,
    );
  }
  const check = async (input: unknown): Promise<Checked> => {
    const { success, data, error } = await schema.safeParseAsync(input);
    if (success) return { ok: true, value: data };
    return { ok: false, message: cutText(z.prettifyError(error), 2_000) };
  };
  return { schema: isObject(json) ? json : {}, check };
}
