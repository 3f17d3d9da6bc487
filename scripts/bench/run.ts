/**
 * Measures the adapter beside what it is held against: `deno task bench`.
 *
 * ```sh
 * deno task bench [--only a,b] [--quick] [--json FILE]
 * ```
 *
 * Each figure is a median of rounds that take turns with what they are compared with. Only the ratios mean anything on
 * another machine. A whole run takes about ten minutes on a machine that does nothing else, and writes its tables into
 * docs/PERFORMANCE.md; with `--only` or `--quick` they are only printed.
 *
 * Linux only: it reads /proc.
 *
 * @module
 */

import { readFlags } from "../../src/cli/flags.ts";
import { CASES } from "./cases.ts";
import { writeDocument } from "./document.ts";
import type { Finding } from "./finding.ts";
import { describeMachine, machineLine } from "./machine.ts";
import { type Report, reportJson, reportMarkdown, reportText } from "./report.ts";

// deno-lint-ignore no-console -- printing is what this script is for
const print = console.log;

const letters = Object.keys(CASES);
const flags = readFlags({
  "--only": { kind: "value", what: `letters of ${letters.join(",")} with commas between them` },
  "--quick": { kind: "switch" },
  "--json": { kind: "value", what: "a file" },
}, Deno.args);
if (!flags.ok) fail(flags.message);
const only = flags.values.get("--only")?.split(",") ?? letters;
const unknown = only.find((letter) => CASES[letter] === undefined);
if (unknown !== undefined) fail(`there is no case '${unknown}': there are ${letters.join(", ")}`);
if (Deno.build.os !== "linux") fail("the bench reads /proc, which only Linux has");

const size = flags.values.has("--quick") ? "quick" : "full";
const machine = await describeMachine();
print(machineLine(machine));
const findings: Record<string, readonly Finding[]> = {};
const failed: string[] = [];
for (const letter of letters.filter((letter) => only.includes(letter))) {
  const { title, measure } = CASES[letter]!;
  const started = performance.now();
  try {
    findings[letter] = await measure(size);
  } catch (error) {
    // The others are worth having all the same.
    failed.push(letter);
    print(`${letter}: ${title}, failed:`, error);
    continue;
  }
  print(`${letter}: ${title}, measured in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}
const report: Report = { size, machine, findings };
print(`\n${reportText(report)}`);
const json = flags.values.get("--json");
if (json !== undefined) await Deno.writeTextFile(json, reportJson(report));
if (failed.length > 0) {
  print(`failed: ${failed.join(", ")}; the document stays as it is`);
  Deno.exit(1);
}
if (size === "full" && letters.every((letter) => only.includes(letter))) {
  await writeDocument(reportMarkdown(report));
}

function fail(message: string): never {
  print(message);
  Deno.exit(2);
}
