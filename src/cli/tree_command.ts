/**
 * The `tree` command: judges command trees, runs their checks, and shows them.
 *
 * @module
 */
import { PROGRAM_NAME } from "../base/version.ts";
import { visibleSentence } from "../base/visible.ts";
import { type CliTree, TREE_LIMITS } from "../contract/cli_tree.ts";
import { readTree, unreadTree } from "../contract/read_tree.ts";
import { embeddedTree } from "../contract/tree.ts";
import type { TreeValidation } from "../contract/validate_tree.ts";
import { readBoundedFile } from "../host/bounded_file.ts";
import { runDeclaredChecks } from "../host/executable_checks.ts";
import { onEndingSignal } from "../host/signals.ts";
import { type FlagTable, readFlags, shown } from "./flags.ts";
import { answer, OUTPUT_EXITS_HELP, say, sayUsage } from "./say.ts";
import { type CheckResult, reportText, treeReport } from "./tree_report.ts";
import { treeTable } from "./tree_table.ts";

/** The text of `tree --help`. */
export const help: string = `${PROGRAM_NAME} tree validate FILE [--expected-version V]
${PROGRAM_NAME} tree check FILE --executable P [--expected-version V]
${PROGRAM_NAME} tree show [FILE] [--json]

A command tree (format_version 1) describes a program's command line for hosts, as cli-tree.json
describes that of Claude Code.

  validate   judges a tree and reports everything that is wrong with it, nothing being run; needs
             --allow-read
  check      does the same; when nothing is wrong, runs the tree's executable_checks (and nothing
             else) on an executable, in the current directory and environment, with nothing on
             standard input, 5 s for all of them; needs --allow-read and --allow-run
  show       prints a tree as a table: commands, parameters, flags, bounds; without FILE the tree
             that is part of this program; needs --allow-read for FILE

Options:
  --expected-version V   the executable_version that the tree must have, exactly
  --executable P         the path of the executable
  --json                 the tree as JSON instead of the table

FILE is at most ${
  TREE_LIMITS.documentBytes / 1024 / 1024
} MiB and plain JSON, as hosts read it; only in a file named .jsonc can there be
comments and trailing commas.

validate and check print one JSON report:
  format_version          1
  valid                   true when no diagnostic is an error
  diagnostics             what is wrong, at most ${TREE_LIMITS.diagnostics}, each with a stable code such as
                          clitree.argv.invalid, a path (the JSON Pointer of the place), a severity
                          (error or warning) and a message
  tree                    source, executable_version, coverage and command_count of a sound tree
  executable_check_count  how many checks passed
  checked_executable      true when all checks were run and passed
  diagnostics_omitted     how many more diagnostics there are

Exit codes:
  0    valid
  1    not valid; the report says why
  2    wrong usage
${OUTPUT_EXITS_HELP}`;

const VERSION = { kind: "value", what: "a version, such as 2.1.332" } as const;

/** The options and operands of each form. */
const FORMS: { readonly [name: string]: { flags: FlagTable; run: Form; needsFile: boolean } } = {
  validate: { flags: { "--expected-version": VERSION }, run: validate, needsFile: true },
  check: {
    flags: {
      "--expected-version": VERSION,
      "--executable": { kind: "value", what: "the path of an executable" },
    },
    run: check,
    needsFile: true,
  },
  show: { flags: { "--json": { kind: "switch" } }, run: show, needsFile: false },
};

type Form = (file: string, values: ReadonlyMap<string, string>) => Promise<number>;

/** Does one of the forms; resolves to the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const [name = "", ...others] = args;
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  const forms = Object.keys(FORMS).join(", ");
  if (form === undefined) {
    const what = name === "" ? "tree needs one of" : `there is no 'tree ${shown(name)}', only`;
    return sayUsage("tree", `${what} ${forms}`);
  }
  const read = readFlags(form.flags, others, 1);
  if (!read.ok) return sayUsage("tree", read.message);
  const [file = ""] = read.operands;
  if (file === "" && (form.needsFile || read.operands.length > 0)) {
    return sayUsage("tree", `tree ${name} needs the path of a tree`);
  }
  if (name === "check" && !read.values.has("--executable")) {
    return sayUsage("tree", "tree check needs --executable with the path of an executable");
  }
  return await form.run(file, read.values);
}

async function validate(file: string, values: ReadonlyMap<string, string>): Promise<number> {
  return reported(await readFile(file, values.get("--expected-version")));
}

async function check(file: string, values: ReadonlyMap<string, string>): Promise<number> {
  const validation = await readFile(file, values.get("--expected-version"));
  const { valid, tree } = validation;
  if (!valid || tree === null) return reported(validation);
  const checks = tree.executable_checks ?? [];
  if (checks.length === 0) {
    const message = "there is nothing to check: declare what the executable has to print";
    const fault = { kind: "missing", index: null, message } as const;
    return reported(validation, { passed: 0, fault });
  }
  const stop = new AbortController();
  const release = onEndingSignal(() => stop.abort());
  const executable = values.get("--executable") ?? "";
  const outcome = await runDeclaredChecks(checks, { executable, stop: stop.signal });
  release();
  return reported(validation, outcome);
}

async function show(file: string, values: ReadonlyMap<string, string>): Promise<number> {
  const validation = file === "" ? null : await readFile(file, undefined);
  const tree = validation === null ? embeddedTree() : validation.tree;
  if (tree === null) {
    for (const { code, path, message } of validation?.diagnostics ?? []) {
      // That one names the file by itself.
      const place = code === "clitree.document.unreadable" ? "" : `${shown(file)}${path}: `;
      say(Deno.stderr, `${visibleSentence(place + message)}\n`);
    }
    return 1;
  }
  const text = values.has("--json") ? `${JSON.stringify(tree, null, 2)}\n` : table(tree);
  return answer("tree", text) ?? 0;
}

async function readFile(
  path: string,
  expectedVersion: string | undefined,
): Promise<TreeValidation> {
  const file = await readBoundedFile(path, TREE_LIMITS.documentBytes);
  if ("problem" in file) {
    const message = `'${shown(path)}' cannot be read: ${file.problem}`;
    return unreadTree("clitree.document.unreadable", message);
  }
  const comments = path.toLowerCase().endsWith(".jsonc");
  return readTree(file.bytes, {
    comments,
    ...(expectedVersion !== undefined && { expectedVersion }),
  });
}

function reported(validation: TreeValidation, checks?: CheckResult): number {
  const report = treeReport(validation, checks);
  return answer("tree", reportText(report)) ?? (report.valid ? 0 : 1);
}

/** Lines longer than this are hard to read. */
const MAX_WIDTH = 120;
const MIN_WIDTH = 40;
/** Where there is no terminal. */
const PIPE_WIDTH = 100;

function table(tree: CliTree): string {
  const columns = Deno.stdout.isTerminal() ? Deno.consoleSize().columns : PIPE_WIDTH;
  return treeTable(tree, Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns)));
}
