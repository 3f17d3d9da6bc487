/** A program on a pseudo-terminal of its own, which the test plays. Needs python3 with its `pty` module. */

/** How to start it. */
export interface PtyOptions {
  readonly command: readonly string[];
  /** The whole environment. */
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  /** The terminal's size. Default: 80 × 24. */
  readonly columns?: number;
  readonly rows?: number;
}

/** How it ended. */
export interface PtyEnded {
  /** 128 and its number after a signal. */
  readonly code: number;
  /** Everything that it wrote. */
  readonly output: string;
}

const HOST = decodeURIComponent(new URL("pty_host.py", import.meta.url).pathname);

/** A terminal with its program. */
export class Pty {
  readonly ended: Promise<PtyEnded>;
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #pid = Promise.withResolvers<number>();
  #output = "";
  #isOver = false;
  #news = Promise.withResolvers<void>();

  /** Starts it. */
  constructor({ command, env, cwd, columns = 80, rows = 24 }: PtyOptions) {
    this.#child = new Deno.Command("python3", {
      args: [HOST, String(rows), String(columns), ...command],
      clearEnv: true,
      env: { TERM: "xterm-256color", ...env },
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#stdin = this.#child.stdin.getWriter();
    this.ended = this.#read();
  }

  /** The program's id. */
  get pid(): Promise<number> {
    return this.#pid.promise;
  }

  /** What it has written up to now. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when `test` is true of what was written; rejects when the program ends before. */
  async shows(test: string | ((output: string) => boolean)): Promise<void> {
    const isThere = typeof test === "string" ? (out: string) => out.includes(test) : test;
    while (!isThere(this.#output)) {
      if (this.#isOver) throw new Error(`it ended without it: ${JSON.stringify(this.#output)}`);
      await this.#news.promise;
    }
  }

  /** Types. */
  async types(text: string): Promise<void> {
    const bytes = new TextEncoder().encode(text);
    await this.#tell(`input ${Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("")}`);
  }

  /** Makes the terminal larger or smaller. */
  resize(columns: number, rows: number): Promise<void> {
    return this.#tell(`size ${rows} ${columns}`);
  }

  /** The terminal goes away; the program goes on. */
  hangUp(): Promise<void> {
    return this.#tell("hangup");
  }

  async #tell(line: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(`${line}\n`));
  }

  async #read(): Promise<PtyEnded> {
    const said = this.#child.stderr.pipeThrough(new TextDecoderStream());
    let stderr = "";
    const hearing = (async () => {
      for await (const text of said) {
        stderr += text;
        const pid = /^pid (\d+)$/m.exec(stderr)?.[1];
        if (pid !== undefined) this.#pid.resolve(Number(pid));
      }
    })();
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#output += text;
      this.#news.resolve();
      this.#news = Promise.withResolvers();
    }
    this.#isOver = true;
    this.#news.resolve();
    await Promise.all([hearing, this.#child.status]);
    await this.#stdin.close().catch(() => {}); // it has ended
    const code = /^exit (\d+)$/m.exec(stderr)?.[1];
    if (code === undefined) throw new Error(`the terminal could not be played: ${stderr}`);
    return { code: Number(code), output: this.#output };
  }
}
