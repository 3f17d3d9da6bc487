/**
 * How messages speak to those who know the same thing by different names: a run, a round, a turn.
 *
 * @module
 */

/** The words that differ. */
export interface Wording {
  /** What ended. */
  readonly what: "run" | "round" | "turn";
  /** Where an answer is that came before the failure. */
  readonly answer: string;
  /** What to do when the id of a fresh conversation is taken. */
  readonly takenId: string;
  /** What to do when the login does not work. */
  readonly login: string;
}

/** For who reads settled values: the members and arguments of a run. */
export const RUN_WORDING: Wording = {
  what: "run",
  answer: "its answer is in 'result' and 'final_event'",
  takenId:
    "that conversation exists: pass its id as resume_session_id to go on with it, or another session_id",
  login: "log in with 'claude' in a terminal, or set a valid key, then try again",
};

/** For who reads what the CLI printed. */
export const PRINT_WORDING: Wording = {
  ...RUN_WORDING,
  answer: "its answer is in what it printed",
};

/** For who talks in a thread. */
export const ROUND_WORDING: Wording = {
  what: "round",
  answer: "its answer is in the error's 'answer'",
  takenId: "a conversation with this id exists already",
  login: RUN_WORDING.login,
};

/** For who lends tools: nothing in it is of the CLI. */
export const TURN_WORDING: Wording = {
  what: "turn",
  answer: "its answer is in the error's 'answer'",
  takenId: "try again",
  login: "give a valid 'apiKey' or 'authToken', and the 'baseUrl' that it belongs to",
};
