/**
 * Verifies published versions of the CLI, one after the other, and writes docs/NATIVE_VERSIONS.md.
 *
 * `deno run -A scripts/native_matrix.ts [--keep] [VERSION...]`; with versions named, only those are in the document. Each
 * is installed into the git-ignored folder `.native` and removed afterwards, unless --keep is given.
 *
 * @module
 */
import { versionsDocument } from "./matrix/document.ts";
import { verifyVersion, type VersionOutcome } from "./matrix/verify_version.ts";

/** Old ones that are known to leave tools running, then one in ten, then the latest. */
const VERSIONS: readonly string[] = [
  "2.1.59",
  "2.1.100",
  "2.1.200",
  "2.1.269",
  "2.1.280",
  "2.1.290",
  "2.1.300",
  "2.1.310",
  "2.1.320",
  "2.1.325",
  "2.1.328",
  "2.1.330",
  "2.1.331",
  "2.1.332",
];

const DOCUMENT = new URL("../docs/NATIVE_VERSIONS.md", import.meta.url);

if (import.meta.main) {
  const named = Deno.args.filter((arg) => !arg.startsWith("--"));
  const keep = Deno.args.includes("--keep");
  const outcomes: VersionOutcome[] = [];
  for (const version of named.length > 0 ? named : VERSIONS) {
    const outcome = await verifyVersion(version, { keep });
    say(`${version}: ${summary(outcome)}`);
    outcomes.push(outcome);
  }
  await Deno.writeTextFile(DOCUMENT, versionsDocument(outcomes));
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "--quiet", DOCUMENT.pathname] }).output();
  if (outcomes.some(({ kind }) => kind === "failed")) Deno.exitCode = 1;
}

function summary(outcome: VersionOutcome): string {
  switch (outcome.kind) {
    case "absent":
      return "skipped, the registry does not have it";
    case "failed":
      return `could not be verified: ${outcome.reason}`;
    case "verified": {
      const failed = outcome.report.checks.filter(({ passed }) => !passed).map(({ id }) => id);
      return failed.length === 0 ? "keeps the contract" : `fails ${failed.join(", ")}`;
    }
  }
}

function say(line: string): void {
  // deno-lint-ignore no-console -- telling how far it is, is what this program prints for
  console.log(line);
}
