/**
 * The ledger of background tasks: what is still open, and what was stopped.
 *
 * The CLI can stay alive for ten minutes after its answer because a background task is open (measured: 601 s),
 * so a caller has to be told.
 *
 * @module
 */
import type { JsonObject } from "../base/json.ts";
import { readOpenTasks, readTask, type TaskEvent } from "../frames/native.ts";

/** Words of `task_updated` and `task_notification` that end a task. */
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "killed", "stopped"]);
const STOPPED: ReadonlySet<string> = new Set(["killed", "stopped"]);
/** Tasks followed at once. */
const MAX_TASKS = 1_024;
const MAX_NAME_CHARS = 80;

/** Follows background tasks through the `system` frames of one run. */
export class BackgroundTasks {
  readonly #open = new Set<string>();
  readonly #names = new Map<string, string>();
  readonly #stopped = new Set<string>();

  /** Tasks that are running. */
  get open(): number {
    return this.#open.size;
  }

  /** Tasks that were stopped before they ended by themselves. */
  get stopped(): number {
    return this.#stopped.size;
  }

  /** The description of the oldest open task, or `null`. */
  get firstDescription(): string | null {
    for (const id of this.#open) return this.#names.get(id) ?? "a task";
    return null;
  }

  /** Takes note of a frame; frames of other kinds and shapes are ignored. */
  observe(frame: JsonObject): void {
    const open = readOpenTasks(frame);
    if (open !== null) {
      // The list is complete, and comes before `task_started` names its newest task (measured).
      this.#open.clear();
      for (const id of open.slice(0, MAX_TASKS)) this.#open.add(id);
      return;
    }
    const task = readTask(frame);
    if (task !== null) this.#step(task);
  }

  #step(task: TaskEvent): void {
    if (task.kind === "started") {
      if (this.#names.size < MAX_TASKS) {
        this.#names.set(task.taskId, (task.description ?? "a task").slice(0, MAX_NAME_CHARS));
      }
      // A foreground sub-agent is a task too, but nothing waits for it after the answer.
      if (task.backgrounded === true && this.#open.size < MAX_TASKS) this.#open.add(task.taskId);
    } else if (task.status !== null && ENDED.has(task.status)) {
      this.#open.delete(task.taskId);
      this.#names.delete(task.taskId);
      if (STOPPED.has(task.status) && this.#stopped.size < MAX_TASKS) {
        this.#stopped.add(task.taskId);
      }
    }
  }
}
