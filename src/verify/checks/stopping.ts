/** What SIGTERM does. */
import { type Check, checkOf } from "../check.ts";
import { stopped } from "../experiments/stopped.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { resultsOf } from "../native_record.ts";
import { exitedWith, saidInstead } from "./judge.ts";

export const STOP_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "stop.tools",
      title: "SIGTERM while a tool runs ends the tool, and then the CLI",
      relies: "commands of cancelled runs go on when the adapter is not there to end them",
    },
    stopped,
    ({ record, ran }) =>
      firstFinding(
        () => expectThat(ran, `the tool did not run: ${saidInstead(record)}`),
        () =>
          expectThat(
            record.cleanup.retired === 0,
            `SIGTERM: the CLI did not end its tool itself; ${record.cleanup.retired} processes were left for the supervisor`,
          ),
      ),
  ),
  checkOf(
    {
      id: "stop.exit",
      title: "SIGTERM ends a run with exit code 143 and without a result",
      relies: "a cancelled run is taken for an answer",
    },
    stopped,
    ({ record, ran }) =>
      firstFinding(
        () => expectThat(ran, `the tool did not run: ${saidInstead(record)}`),
        () => expectSame("SIGTERM: the number of result events", resultsOf(record).length, 0),
        () => exitedWith(record, 143),
      ),
  ),
];
