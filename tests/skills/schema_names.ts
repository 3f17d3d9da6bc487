/** What a text about the tools may name besides tools and errors: arguments, their values, and members of results. */
import { isObject } from "../../src/base/json.ts";
import { TOOLS } from "../../src/mcp/tools.ts";

/** The names, from the schemas that hosts get. */
export const SCHEMA_NAMES: ReadonlySet<string> = new Set(
  TOOLS.flatMap((
    { inputSchema, outputSchema },
  ) => [...names(inputSchema()), ...names(outputSchema)]),
);

function names(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(names);
  if (!isObject(schema)) return [];
  const properties = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const values = Array.isArray(schema.enum) ? schema.enum.map(String) : [];
  return [...properties, ...values, ...Object.values(schema).flatMap(names)];
}
