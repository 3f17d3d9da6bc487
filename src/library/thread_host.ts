/**
 * What the threads of one library share.
 *
 * @module
 */
import { sweepPrivateFolders } from "../host/private_folder.ts";
import type { HostPorts } from "./host_ports.ts";
import { Turnstile } from "./turnstile.ts";

/** The rounds of a library, and what they are started with. */
export class ThreadHost {
  readonly ports: HostPorts;
  readonly turnstile: Turnstile;
  /** Aborted when the library is closed. */
  readonly closing: AbortController = new AbortController();
  /** Every round that has begun: how to leave it. */
  readonly rounds: Set<() => Promise<unknown>> = new Set();
  #sweep: Promise<unknown> | null = null;

  /** Starts nothing. */
  constructor(ports: HostPorts) {
    this.ports = ports;
    this.turnstile = new Turnstile(() => ports.clock.now());
  }

  /** Removes what programs that were killed have left beside a private folder, once. */
  sweepOnce(path: string): void {
    this.#sweep ??= sweepPrivateFolders(path, this.ports);
  }

  /** Ends every round, and waits until nothing of them is left. */
  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled([...this.rounds].map((leave) => leave()));
    await this.#sweep;
  }
}
