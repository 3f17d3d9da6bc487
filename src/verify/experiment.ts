/**
 * What an experiment is: native processes in a room of their own, whose behaviour several checks look at.
 *
 * @module
 */
import type { Reply } from "../loopback/reply.ts";
import type { LoggedRequest } from "../loopback/request.ts";
import type { Room } from "./room.ts";

/** One experiment. It is done at most once in a verification. */
export interface Experiment<T> {
  /** Names its folder. */
  readonly id: string;
  /** Answers what the CLI asks the model; made anew for each verification, so it can count. */
  readonly script: (project: string) => (request: LoggedRequest) => Reply | undefined;
  /** Runs the CLI and says what it did. Judges nothing. */
  readonly run: (room: Room) => Promise<T>;
}

/** Gives an experiment its type. */
export function experiment<T>(given: Experiment<T>): Experiment<T> {
  return given;
}
