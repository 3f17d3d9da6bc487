/**
 * A tree as a table for a person.
 *
 * @module
 */
import { expected } from "../contract/check_value.ts";
import type { ArgvToken, CliCommand, CliParameter, CliTree } from "../contract/cli_tree.ts";
import { type Column, renderRows, wrapped } from "./text_columns.ts";

/** Every command with its parameters, flags, bounds and relationships, in lines of at most `width` characters. */
export function treeTable(tree: CliTree, width: number): string {
  const checks = (tree.executable_checks ?? []).map((check) =>
    "stdout" in check
      ? `${quoted(check.args)} prints ${JSON.stringify(check.stdout)}`
      : `${quoted(check.args)} prints what has the SHA-256 ${check.stdout_sha256}`
  );
  const head: [string, string][] = [
    ["source", tree.source],
    ["version", tree.executable_version],
    ["coverage", tree.coverage],
    ...checks.map((check, i): [string, string] => [i === 0 ? "checks" : "", check]),
  ];
  const lines = [
    ...renderRows(head, { columns: [{ max: 12 }, {}], width }),
    ...tree.commands.flatMap((command) => ["", ...commandLines(command, width)]),
    ...(tree.omissions.length > 0 ? ["", "left out:"] : []),
    ...tree.omissions.flatMap((omission) =>
      renderRows([["-", omission]], { columns: [{ max: 1 }, {}], width })
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** Names and flags as long as they are, but so that most of a third is left for the values. */
function parameterColumns(width: number): readonly Column[] {
  return [{ max: Math.floor(width * 0.28) }, { max: Math.floor(width * 0.34) }, {}];
}

function commandLines(command: CliCommand, width: number): readonly string[] {
  const { id, path, executable, stdout, risk_hint, parameters, description } = command;
  const kind = executable ? `prints ${stdout}` : "a group";
  const words = path.length === 0 ? "" : ` (${quoted(path)})`;
  const risk = risk_hint === undefined ? "" : `, ${risk_hint}`;
  const title = `${id}${words}: ${kind}${risk}`;
  const lines = [...wrapped(title, width), ...wrapped(description, width, "  ")];
  if (executable) lines.push(...wrapped(`runs with: ${order(command)}`, width, "  "));
  if (parameters.length === 0) return lines;
  const rows = parameters.map((parameter) => [
    `${parameter.name}${parameter.required ? " *" : ""}`,
    argumentOf(command, parameter.name),
    rules(parameter),
  ]);
  const table = renderRows([["PARAMETER", "ARGUMENT", "VALUE"], ...rows], {
    columns: parameterColumns(width - 2),
    width: width - 2,
  });
  lines.push("", ...table.map((line) => `  ${line}`.trimEnd()));
  if (parameters.some(({ required }) => required)) lines.push("  * required");
  return lines;
}

function order({ argv }: CliCommand): string {
  return argv.map((token) =>
    token.kind === "literal" ? quoted([token.value]) : `<${token.parameter}>`
  )
    .join(" ");
}

/** How a parameter is passed, such as `--model=…`. */
function argumentOf({ argv, stdin }: CliCommand, name: string): string {
  if (stdin?.parameter === name) return `standard input, ${stdin.encoding}`;
  const token = argv.find((one) => one.kind !== "literal" && one.parameter === name);
  return token === undefined ? "" : SHOWN[token.kind](token as never);
}

const SHOWN: {
  readonly [K in ArgvToken["kind"]]: (token: Extract<ArgvToken, { kind: K }>) => string;
} = {
  literal: ({ value }) => value,
  positional: () => "an argument of its own",
  option: ({ flag, style }) =>
    ({ equals: `${flag}=…`, separate: `${flag} …`, repeated: `${flag} … for each` })[style],
  flag: ({ flag, inverse }) => inverse === undefined ? flag : `${flag} or ${inverse}`,
};

function rules(parameter: CliParameter): string {
  const { schema, secret, conflicts = [], requires = [] } = parameter;
  const items = schema.type === "array" && schema.items !== undefined
    ? `, each ${expected(schema.items)}`
    : "";
  const fallback = parameter.default === undefined
    ? []
    : [`the CLI assumes ${JSON.stringify(parameter.default)}`];
  return [
    `${expected(schema)}${items}`,
    ...(secret ? ["secret"] : []),
    ...fallback,
    ...(requires.length > 0 ? [`only with ${requires.join(", ")}`] : []),
    ...(conflicts.length > 0 ? [`not with ${conflicts.join(", ")}`] : []),
  ].join("; ");
}

/** Words as a person would type them, those with anything special in quotes. */
function quoted(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)).join(" ");
}
