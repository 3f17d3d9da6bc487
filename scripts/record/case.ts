/** What one recording is made of, as data. */

import type { Script } from "../../src/loopback/mod.ts";

/** One run of the real CLI to record. */
export interface Case {
  /** File name of the fixture, without extension. */
  readonly name: string;
  /** What it shows, in one line. */
  readonly note: string;
  /**
   * The prompt.
   *
   * @default {"say hello"}
   */
  readonly prompt?: string;
  /** @default {"dontAsk"} */
  readonly mode?: "dontAsk" | "plan" | "acceptEdits";
  /**
   * Whether partial messages are asked for.
   *
   * @default {true}
   */
  readonly partial?: boolean;
  /** More arguments, before `--` and the prompt. */
  readonly args?: readonly string[];
  /** More environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Whether the made-up key is set.
   *
   * @default {true}
   */
  readonly loggedIn?: boolean;
  /**
   * Makes the script of the loopback model, given the project folder; "refused" points the CLI at a port
   * where nobody listens.
   *
   * @default {one plain answer}
   */
  readonly script?: "refused" | ((project: string) => Script);
  /** Files in the project folder before the run: path and text. */
  readonly files?: Readonly<Record<string, string>>;
  /** Runs made before, in the same project; not recorded. */
  readonly before?: readonly Omit<Case, "name" | "note" | "before">[];
  /** A signal, sent once stdout has printed a text or a tool has made a file in the project. */
  readonly signal?:
    & { readonly name: Deno.Signal }
    & ({ readonly printed: string } | { readonly made: string });
}
