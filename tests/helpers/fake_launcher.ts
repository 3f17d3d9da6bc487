/** A launcher whose supervisors are played by the test, line by line. */
import { encodeUtf8, type JsonObject } from "../../src/base/json.ts";
import type { AdapterError } from "../../src/base/errors.ts";
import type { Launcher, LaunchRequest, Supervised } from "../../src/supervision/ports.ts";
import type { Cleanup, Receipt } from "../../src/supervision/receipts.ts";

export const CLEAN: Cleanup = { confirmed: true, retired: 0, escalated: false, survivors: [] };

/** One supervised run that the test drives. */
export class FakeSupervised implements Supervised {
  readonly pid = 4_242;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly receipts: ReadableStream<Receipt>;
  readonly ended: Promise<void> = Promise.resolve();
  stops = 0;
  kills = 0;
  recoveries = 0;
  stdoutCancelled = false;
  /** What `recover()` finds. */
  found: Cleanup = CLEAN;
  #stdout!: ReadableStreamDefaultController<Uint8Array>;
  #receipts!: ReadableStreamDefaultController<Receipt>;

  constructor(readonly request: LaunchRequest) {
    this.stdout = new ReadableStream({
      start: (controller) => void (this.#stdout = controller),
      cancel: () => void (this.stdoutCancelled = true),
    });
    this.receipts = new ReadableStream({
      start: (controller) => void (this.#receipts = controller),
    });
  }

  /** How many pieces of stdout nobody has read. */
  get unread(): number {
    return 1 - (this.#stdout.desiredSize ?? 1);
  }

  stop(how?: "kill"): void {
    if (how === "kill") this.kills += 1;
    else this.stops += 1;
  }

  recover(): Promise<Cleanup> {
    this.recoveries += 1;
    return Promise.resolve(this.found);
  }

  /** Native stdout. */
  prints(...frames: readonly (JsonObject | string)[]): this {
    for (const frame of frames) {
      const line = typeof frame === "string" ? frame : JSON.stringify(frame) + "\n";
      this.#stdout.enqueue(encodeUtf8(line));
    }
    return this;
  }

  /** A receipt of the supervisor. */
  reports(...receipts: readonly Receipt[]): this {
    for (const receipt of receipts) this.#receipts.enqueue(receipt);
    return this;
  }

  /** Version and start, as every run has them. */
  starts(): this {
    return this.reports(
      {
        receipt: "version",
        ok: true,
        by: "tree",
        stdout: "2.1.332 (Claude Code)\n",
        detail: "",
      },
      { receipt: "started", pid: 4_243 },
    );
  }

  /** Exit, stderr and clean-up, then the end of both pipes. */
  ends(code = 0, options: { cleanup?: Cleanup; stderr?: string; signal?: string } = {}): this {
    this.reports(
      { receipt: "exit", code, signal: options.signal ?? null },
      { receipt: "stderr_tail", text: options.stderr ?? "", truncated: false },
      { receipt: "cleanup", cleanup: options.cleanup ?? CLEAN },
    );
    return this.closesReceipts().closesStdout();
  }

  closesReceipts(): this {
    this.#receipts.close();
    return this;
  }

  closesStdout(): this {
    this.#stdout.close();
    return this;
  }
}

/** Hands out {@linkcode FakeSupervised}, and keeps them in order. */
export class FakeLauncher implements Launcher {
  readonly launched: FakeSupervised[] = [];
  /** Thrown by the next `locate()` or `launch()`. */
  locateFault: AdapterError | null = null;
  launchFault: AdapterError | null = null;
  /** What a launch waits for. */
  gate: Promise<void> = Promise.resolve();

  locate(): string {
    if (this.locateFault !== null) throw this.locateFault;
    return "/opt/claude";
  }

  async launch(request: LaunchRequest): Promise<Supervised> {
    await this.gate;
    if (this.launchFault !== null) throw this.launchFault;
    const supervised = new FakeSupervised(request);
    this.launched.push(supervised);
    return supervised;
  }

  /** The newest one. */
  get last(): FakeSupervised {
    return this.launched.at(-1)!;
  }
}
