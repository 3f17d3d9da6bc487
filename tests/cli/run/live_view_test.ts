/** The view of a run, with its output and its time played. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { VirtualTerminal } from "../../../scripts/support/virtual_terminal.ts";
import { answerOf, LiveView } from "../../../src/cli/run/live_view.ts";
import type { SettledRun } from "../../../src/runs/values.ts";
import { FakeClock, settle } from "../../helpers/fake_clock.ts";
import { item, result, says, toolUse } from "../../helpers/frames.ts";

const SETTLED = {
  state: "completed",
  result: "the answer",
  is_error: false,
  session_id: null,
  total_cost_usd: null,
} as unknown as SettledRun;

/** A view whose output takes a write only when the test lets it. */
class Bench {
  readonly clock = new FakeClock();
  readonly faults: unknown[] = [];
  readonly view: LiveView;
  readonly terminal = new VirtualTerminal(80, 24);
  written = "";
  writes = 0;
  isStuck = false;
  broken: Error | null = null;
  activity = "starting for 0 s";
  #release = Promise.withResolvers<void>();

  constructor({ isTerminal }: { readonly isTerminal: boolean }) {
    this.view = new LiveView({
      output: { write: (bytes) => this.#write(bytes) },
      clock: this.clock,
      terminal: isTerminal ? { size: () => ({ columns: 80, rows: 24 }), isColoured: false } : null,
      resumed: false,
      activity: () => this.activity,
      onFault: (error) => void this.faults.push(error),
    });
  }

  release(): void {
    this.isStuck = false;
    this.#release.resolve();
    this.#release = Promise.withResolvers();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.writes += 1;
    if (this.isStuck) await this.#release.promise;
    if (this.broken !== null) throw this.broken;
    const text = new TextDecoder().decode(bytes);
    this.written += text;
    this.terminal.write(text);
  }

  /** Ends it while the time goes on. */
  async end(): Promise<void> {
    const ended = this.view.end(SETTLED);
    await this.clock.tick(2_000);
    await ended;
  }
}

Deno.test("view: what comes together is one write, and a terminal gets its time once a second", async () => {
  const bench = new Bench({ isTerminal: true });
  await bench.clock.tick(0);
  assertEquals([bench.terminal.screen(), bench.writes], [["0 s · starting"], 1]);
  bench.activity = "writing for 0 s";
  for (let i = 0; i < 50; i++) bench.view.take(item(says(`line ${i}\n`, { uuid: `${i}` })));
  await bench.clock.tick(40);
  assertEquals(bench.writes, 2);
  assertEquals(bench.terminal.screen().at(-1), "0 s · writing");
  await bench.clock.tick(3_000);
  assertEquals(bench.terminal.screen().at(-1), "3 s · writing");
  assert(bench.writes <= 6, `${bench.writes} writes`);
  bench.view.take(item(toolUse("t1", "Bash")));
  await bench.clock.tick(1_000);
  assertStringIncludes(bench.terminal.screen().at(-1)!, "running Bash for");
  await bench.end();
  assertStringIncludes(
    bench.terminal.lines().join("\n"),
    "… Bash  not finished, 1.0 s\n✓ done in 4.0 s",
  );
  assertEquals(bench.clock.pending, 0);
});

Deno.test("view: a run that said nothing shows its answer, and a pipe gets it in lines", async () => {
  const bench = new Bench({ isTerminal: false });
  bench.view.take(item(result()));
  await bench.end();
  assertEquals(bench.written, "the answer\n\n✓ done in 0.0 s · $0.2500\n");
});

Deno.test("view: a reader that stops holds nothing up, is told what it missed, and gets the end", async () => {
  const bench = new Bench({ isTerminal: false });
  bench.isStuck = true;
  bench.view.take(item(says("first\n")));
  await bench.clock.tick(100);
  const megabyte = `${"x".repeat(1023)}\n`.repeat(1024);
  for (let i = 0; i < 20; i++) bench.view.take(item(says(megabyte, { uuid: `${i}` })));
  await settle();
  assertEquals([bench.writes, bench.written], [1, ""]);
  bench.release();
  await bench.clock.tick(100);
  assert(bench.written.length < 17 * 1024 * 1024, `${bench.written.length}`);
  bench.view.take(item(says("and on\n", { uuid: "later" })));
  await bench.end();
  assertStringIncludes(bench.written, "! about ");
  assertStringIncludes(
    bench.written,
    " characters are left out here: they were not read in time\n",
  );
  assertStringIncludes(bench.written, "\nand on\n");
  assert(bench.written.endsWith("\n✓ done in 0.2 s\n"), bench.written.slice(-100));
});

Deno.test("view: output that breaks is told of once, and the end does not wait for it", async () => {
  const bench = new Bench({ isTerminal: false });
  bench.broken = new Error("broken");
  for (let i = 0; i < 3; i++) {
    bench.view.take(item(says(`${i}\n`, { uuid: `${i}` })));
    await bench.clock.tick(100);
  }
  await bench.end();
  assertEquals([bench.faults, bench.writes], [[bench.broken], 1]);
});

Deno.test("view: whoever leaves gets nothing more", async () => {
  const bench = new Bench({ isTerminal: true });
  await bench.clock.tick(100);
  const before = bench.written;
  bench.view.leave();
  bench.view.take(item(says("text\n")));
  await bench.end();
  assertEquals(bench.written, before);
});

Deno.test("view: the CLI's own words about a failure are no answer", () => {
  const failed = { ...SETTLED, is_error: true };
  assertEquals(answerOf(SETTLED), "the answer");
  assertEquals(answerOf({ ...failed, final_event: { is_error: true } }), null);
  assertEquals(answerOf({ ...failed, final_event: null }), null);
  assertEquals(answerOf({ ...failed, final_event: { is_error: false } }), "the answer");
});
