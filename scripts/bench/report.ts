/** Findings as a table for people, and as data. */

import type { Size } from "./case.ts";
import { CASES } from "./cases.ts";
import { aimText, figureText, type Finding, isMet } from "./finding.ts";
import { type Machine, machineLine } from "./machine.ts";

/** Everything that one run of the bench found. */
export interface Report {
  readonly size: Size;
  readonly machine: Machine;
  /** By the letter of the case. */
  readonly findings: { readonly [letter: string]: readonly Finding[] };
}

const HEAD = ["what", "adapter", "compared with", "ratio", "aim"] as const;

/** A Markdown table of one case. */
export function caseTable(findings: readonly Finding[]): string {
  const rows = [HEAD, HEAD.map(() => "---"), ...findings.map(cells)];
  return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** The generated part of the document. */
export function reportMarkdown({ machine, findings }: Report): string {
  const parts = [
    `From one machine: ${
      machineLine(machine)
    }. Medians, with the smallest and the largest in brackets.`,
  ];
  for (const [letter, found] of Object.entries(findings)) {
    parts.push(`### ${letter}: ${CASES[letter]!.title}`, caseTable(found));
    const notes = found.filter(({ note }) => note !== undefined);
    if (notes.length > 0) {
      parts.push(
        notes.map(({ what, base, note }) => `- ${what}, ${base?.what}: ${note}`).join("\n"),
      );
    }
  }
  return parts.join("\n\n");
}

/** The same as data, with what is met worked out. */
export function reportJson(report: Report): string {
  const findings = Object.fromEntries(
    Object.entries(report.findings).map(([letter, found]) => [
      letter,
      found.map((finding) => ({ ...finding, met: isMet(finding) })),
    ]),
  );
  return `${JSON.stringify({ format_version: 1, ...report, findings }, null, 2)}\n`;
}

/** The same on a terminal. */
export function reportText({ findings }: Report): string {
  const rows: (readonly string[])[] = [HEAD];
  for (const [letter, found] of Object.entries(findings)) {
    rows.push(...found.map((finding) => [`${letter} ${finding.what}`, ...cells(finding).slice(1)]));
  }
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join("  ").trimEnd())
    .join("\n");
}

function cells(finding: Finding): readonly string[] {
  const { what, figure, base, comparison } = finding;
  return [
    what,
    figureText(figure),
    base === undefined ? "" : `${base.what}: ${figureText(base.figure)}`,
    comparison === undefined ? "" : figureText(comparison),
    aimText(finding),
  ];
}
