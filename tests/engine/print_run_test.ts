import { assertEquals, assertStringIncludes } from "@std/assert";
import { expectedChecks } from "../../src/contract/tree.ts";
import { createAdmission } from "../../src/engine/admission.ts";
import { type PrintOutcome, startPrint } from "../../src/engine/print_run.ts";
import { FakeClock, settle } from "../helpers/fake_clock.ts";
import { FakeLauncher, type FakeSupervised } from "../helpers/fake_launcher.ts";
import { result } from "../helpers/frames.ts";

/** A print whose one write is settled by the test, and what came of it. */
interface Bench {
  readonly native: FakeSupervised;
  /** The write that is under way. */
  readonly write: PromiseWithResolvers<void>;
  readonly ended: Promise<PrintOutcome>;
  stop(): void;
  /** Whether `ended` has resolved. */
  isOver(): boolean;
}

async function bench(): Promise<Bench> {
  const launcher = new FakeLauncher();
  const log = { write: () => {} };
  const write = Promise.withResolvers<void>();
  const { ended, stop } = startPrint({
    id: "id",
    executable: "/opt/claude",
    invocation: { argv: ["-p"], stdin: "hello", env: {} },
    resumed: false,
    timeoutSeconds: 600,
    onStdout: () => write.promise,
    onStderr: () => {},
  }, {
    launcher,
    clock: new FakeClock(),
    log,
    admission: createAdmission({
      expected: expectedChecks(),
      override: null,
      verified: () => Promise.resolve([]),
      log,
    }),
  });
  let over = false;
  void ended.then(() => over = true);
  await settle();
  return {
    native: launcher.last,
    write,
    ended,
    stop: () => stop({ code: "cancelled", message: "asked" }),
    isOver: () => over,
  };
}

Deno.test("a print is judged only after its last write, and completes when that was taken", async () => {
  const { native, write, ended, isOver } = await bench();
  native.starts().prints(result()).ends();
  await settle();
  assertEquals(isOver(), false, "the write is under way");
  write.resolve();
  assertEquals(await ended, { state: "completed", error: null, cleanupError: null });
});

const FULL = new Error("No space left on device (os error 28)");

Deno.test("a write that fails while the process runs ends it, and after the end fails the print all the same", async () => {
  for (const isLate of [false, true]) {
    const { native, write, ended } = await bench();
    native.starts().prints(result());
    await settle();
    if (!isLate) write.reject(FULL);
    else native.ends();
    await settle();
    assertEquals(native.stops, isLate ? 0 : 1);
    if (isLate) write.reject(FULL);
    else native.ends(143);
    const { state, error, unwritten } = await ended;
    assertEquals([state, error?.code, unwritten], ["cancelled", "cancelled", { reason: FULL }]);
    assertStringIncludes(error!.message, "No space left on device");
  }
});

Deno.test("a write that fails after another cause is not the reason", async () => {
  const { native, write, ended } = await bench();
  native.starts().prints(result()).reports({
    receipt: "spawn_failed",
    fault: "other",
    detail: "odd",
  });
  await settle();
  write.reject(FULL);
  native.ends();
  const { error, unwritten } = await ended;
  assertEquals([error?.code, unwritten], ["startup_failed", undefined]);
});

Deno.test("the native process does not wait for a write, and its whole output is written in the end", async () => {
  const { native, write, ended } = await bench();
  native.starts();
  for (const part of [JSON.stringify(result()).slice(0, 20), JSON.stringify(result()).slice(20)]) {
    native.prints(part);
    await settle();
  }
  assertEquals(native.unread, 0, "what nobody has read");
  native.ends();
  await settle();
  write.resolve();
  assertEquals((await ended).state, "completed");
});

Deno.test("a print whose output is not taken can be ended, and then did not succeed", async () => {
  const { native, ended, stop } = await bench();
  native.starts().prints(result()).ends();
  await settle();
  stop();
  assertEquals((await ended).error, { code: "cancelled", message: "asked" });
});
