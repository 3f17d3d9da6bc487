/** A program that answers lines with lines, JSON both ways, one after the other. */

import type { ProgramOptions } from "./programs.ts";

/** One that runs. */
export class LineProgram<Question, Reply> implements AsyncDisposable {
  readonly pid: number;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #stdout: ReadableStreamDefaultReader<string>;
  #rest = "";

  /** Starts it. */
  constructor(command: readonly string[], { cwd, env }: ProgramOptions) {
    this.#child = new Deno.Command(command[0]!, {
      args: command.slice(1),
      cwd,
      env: { ...env },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.pid = this.#child.pid;
    this.#stdin = this.#child.stdin.getWriter();
    this.#stdout = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Asks, and waits for the answer. */
  async ask(question: Question): Promise<Reply> {
    await this.#stdin.write(new TextEncoder().encode(`${JSON.stringify(question)}\n`));
    for (let end = -1;; end = this.#rest.indexOf("\n")) {
      if (end !== -1) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await this.#stdout.read();
      if (done) throw new Error("The program ended instead of answering");
      this.#rest += value;
    }
  }

  /** Closes its input and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    // Rejects when it ended already, which is what is wanted.
    await this.#stdin.close().catch(() => {});
    await this.#stdout.cancel();
    await this.#child.status;
  }
}
