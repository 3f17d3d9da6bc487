/** A valid tree that uses every feature of the format; our own uses only some. */

const STRING = { type: "string" };

/** A fresh, mutable copy. */
// deno-lint-ignore no-explicit-any -- tests break it in every way
export function sampleTree(): any {
  return structuredClone({
    format_version: 1,
    source: "made up",
    executable_version: "1.0",
    coverage: "partial",
    omissions: ["the rest"],
    executable_checks: [
      { args: ["--version"], stdout: "1.0\n" },
      { args: ["--about"], stdout_sha256: "a".repeat(64) },
    ],
    commands: [
      {
        id: "group",
        path: ["remote"],
        description: "A group.",
        executable: false,
        parameters: [],
        argv: [],
        stdout: "text",
      },
      {
        id: "send",
        path: ["remote", "send"],
        description: "Sends.",
        executable: true,
        risk_hint: "destructive",
        help_argv: ["remote", "send", "--help"],
        dry_run_parameter: "dry",
        parameters: [
          { name: "dry", schema: { type: "boolean" }, default: false },
          { name: "level", schema: { type: "integer", minimum: -5, maximum: 5 } },
          { name: "ratio", schema: { type: "number" }, requires: ["level"] },
          {
            name: "tags",
            schema: {
              type: "array",
              items: { type: "string", maxLength: 8 },
              minItems: 1,
              maxItems: 3,
            },
          },
          { name: "quiet", schema: { type: "boolean", const: true }, conflicts: ["ratio"] },
          { name: "token", schema: { type: "string" }, secret: true },
          { name: "target", schema: { type: "string", enum: ["a", "-b"] }, required: true },
          { name: "files", schema: { type: "array", items: { type: "string" } } },
          {
            name: "body",
            schema: {
              type: "object",
              properties: { to: { type: "string" }, cc: { type: "null" } },
              required: ["to"],
              additionalProperties: false,
            },
          },
        ],
        argv: [
          { kind: "literal", value: "remote" },
          { kind: "literal", value: "send" },
          { kind: "flag", parameter: "dry", flag: "--dry-run", inverse: "--no-dry-run" },
          { kind: "option", parameter: "level", flag: "--level", style: "equals" },
          { kind: "option", parameter: "ratio", flag: "-r", style: "separate" },
          { kind: "option", parameter: "tags", flag: "--tag", style: "repeated" },
          { kind: "flag", parameter: "quiet", flag: "-q" },
          { kind: "option", parameter: "token", flag: "--token", style: "separate" },
          { kind: "literal", value: "--" },
          { kind: "positional", parameter: "target" },
          { kind: "positional", parameter: "files" },
        ],
        stdin: { parameter: "body", encoding: "json" },
        stdout: "json",
        output_schema: { type: "object", properties: {}, additionalProperties: true },
      },
      {
        id: "pick",
        path: ["pick"],
        description: "Picks.",
        executable: true,
        parameters: [
          { name: "first", schema: { type: "string" } },
          { name: "second", schema: { type: "string" } },
          { name: "data", schema: { type: "string" } },
        ],
        argv: [
          { kind: "literal", value: "pick" },
          { kind: "positional", parameter: "first" },
          { kind: "positional", parameter: "second" },
        ],
        stdin: { parameter: "data", encoding: "base64" },
        stdout: "binary",
      },
      {
        id: "styles",
        path: ["styles"],
        description: "Every style with every kind of value.",
        executable: true,
        parameters: [
          { name: "pair", schema: { type: "array", items: STRING, minItems: 2, maxItems: 2 } },
          { name: "each", schema: { type: "array", items: STRING } },
          { name: "all", schema: { type: "array", items: STRING } },
          { name: "names", schema: { type: "array", items: STRING } },
          { name: "once", schema: STRING },
          { name: "on", schema: { type: "boolean" } },
          { name: "yes", schema: { type: "boolean" } },
          { name: "counts", schema: { type: "array", items: { type: "integer" } } },
          { name: "text", schema: STRING },
        ],
        argv: [
          { kind: "option", parameter: "each", flag: "--each", style: "repeated" },
          { kind: "option", parameter: "all", flag: "-a", style: "separate" },
          { kind: "option", parameter: "names", flag: "--name", style: "equals" },
          { kind: "option", parameter: "once", flag: "--once", style: "repeated" },
          { kind: "flag", parameter: "on", flag: "--on" },
          { kind: "option", parameter: "yes", flag: "--yes", style: "equals" },
          { kind: "positional", parameter: "pair" },
          { kind: "positional", parameter: "counts" },
          { kind: "literal", value: "end" },
        ],
        stdin: { parameter: "text", encoding: "utf8" },
        stdout: "text",
      },
    ],
  });
}
