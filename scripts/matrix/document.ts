/** The document about what holds in which version. */

import { PINNED_VERSION } from "../native/install.ts";
import type { VersionOutcome } from "./verify_version.ts";

type Verified = Extract<VersionOutcome, { kind: "verified" }>;

/** docs/NATIVE_VERSIONS.md. */
export function versionsDocument(outcomes: readonly VersionOutcome[]): string {
  const verified = outcomes.filter((one) => one.kind === "verified");
  const absent = outcomes.filter(({ kind }) => kind === "absent").map(({ version }) => version);
  const checks = verified.at(-1)?.report.checks.length ?? 0;
  const parts = [
    `# Native versions

What \`verify\` says of published versions of Claude Code, each run through the ${checks} checks of the contract for
${PINNED_VERSION}. Written by \`deno run -A scripts/native_matrix.ts\`, on Linux, against the scripted model of
\`src/loopback\`.

A version that passes can be used as soon as \`claude-code-adapter verify\` has been run on it; ${PINNED_VERSION} can be
used without.`,
    table(["version", "program", "contract", "checks that fail"], verified.map(row)),
  ];
  if (absent.length > 0) {
    parts.push(`The registry does not have ${absent.join(", ")}, so nothing is said of them.`);
  }
  const failing = verified.filter(({ report }) => !report.passed);
  if (failing.length > 0) {
    parts.push("## What differs", ...failing.map(details));
  }
  return `${parts.join("\n\n")}\n`;
}

function row({ version, program, report }: Verified): readonly string[] {
  const failed = report.checks.filter(({ passed }) => !passed);
  const names = failed.map(({ id }) => `\`${id}\``).join(", ");
  return [version, program, report.passed ? "kept" : "**not kept**", names];
}

function details({ version, report }: Verified): string {
  const failed = report.checks.filter(({ passed }) => !passed);
  return `### ${version}\n\n${
    table(
      ["check", "what is different", "what breaks"],
      failed.map(({ id, finding, relies }) => [`\`${id}\``, neutral(finding ?? ""), relies]),
    )
  }`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.map(cell).join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** Temporary folders and process ids are of one run only. */
function neutral(finding: string): string {
  return finding.replace(/(?:\/[\w.-]+)*\/claude-code-adapter-verify-[\w]+/g, "…");
}
