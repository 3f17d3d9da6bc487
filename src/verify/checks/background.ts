/** Background tasks and the turns they cause. */
import { BackgroundTasks } from "../../runs/background_tasks.ts";
import { type Check, checkOf } from "../check.ts";
import { background, FOLLOW_UP_ANSWER, MAIN_ANSWER } from "../experiments/background.ts";
import { expectSame, expectThat, firstFinding } from "../finding.ts";
import { resultsOf } from "../native_record.ts";
import { exitedWith, saidInstead } from "./judge.ts";

export const BACKGROUND_CHECKS: readonly Check[] = [
  checkOf(
    {
      id: "background.follow_up",
      title: "a turn that a background task causes has a result whose origin says so",
      relies: "the answer to a background task is taken for the answer to the prompt",
    },
    background,
    ({ record }) => {
      const [main, followUp, ...more] = resultsOf(record);
      return firstFinding(
        () => expectThat(main !== undefined, `there is no result event: ${saidInstead(record)}`),
        () => expectSame("the first result's text", main?.result, MAIN_ANSWER),
        () => expectSame("origin.kind of the first result", main?.originKind, null),
        () =>
          expectThat(followUp !== undefined, "the end of a background task caused no result event"),
        () =>
          expectSame(
            "origin.kind of the result that a background task caused",
            followUp?.originKind,
            "task-notification",
          ),
        () => expectSame("the second result's text", followUp?.result, FOLLOW_UP_ANSWER),
        () => expectSame("the number of further result events", more.length, 0),
        () => exitedWith(record, 0),
      );
    },
  ),
  checkOf(
    {
      id: "background.events",
      title: "events tell which background tasks are open, and when they have ended",
      relies: "a run that waits for a background task does not say so",
    },
    background,
    ({ record }) => {
      const tasks = new BackgroundTasks();
      let most = 0;
      for (const frame of record.frames) {
        tasks.observe(frame);
        most = Math.max(most, tasks.open);
      }
      return firstFinding(
        () =>
          expectThat(
            most === 1,
            `task_started and background_tasks_changed tell of ${most} open tasks instead of 1`,
          ),
        () =>
          expectThat(
            tasks.open === 0,
            "no task_updated, task_notification or background_tasks_changed tells of the task's end",
          ),
      );
    },
  ),
];
