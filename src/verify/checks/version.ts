/** What the CLI says it is. */
import { type Check, checkOf } from "../check.ts";
import { VERSION } from "../experiments/version.ts";
import { expectThat, firstFinding, shown } from "../finding.ts";
import { exitedWith } from "./judge.ts";

/** The form of the text, since it is compared whole before each run. */
const FORM = /^\d+\.\d+\.\d+ \(Claude Code\)\n$/;

export const VERSION_CHECK: Check = checkOf(
  {
    id: "version.text",
    title: "--version prints a version and the name of the program",
    relies: "nothing can be run: the version is asserted before each run",
  },
  VERSION,
  (record) =>
    firstFinding(
      () => exitedWith(record, 0),
      () => expectThat(FORM.test(record.stdout), `--version printed ${shown(record.stdout)}`),
    ),
);
