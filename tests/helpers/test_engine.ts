/** The real engine, with the operating system and the time played by the test. */
import { buildRunInvocation } from "../../src/contract/invocation.ts";
import { expectedChecks } from "../../src/contract/tree.ts";
import { createAdmission } from "../../src/engine/admission.ts";
import type { Engine } from "../../src/engine/api.ts";
import { createEngine, type EngineOptions } from "../../src/engine/engine.ts";
import { FakeClock } from "./fake_clock.ts";
import { FakeLauncher } from "./fake_launcher.ts";
import { sha256 } from "./sha256.ts";

/** An engine and what it was given. */
export interface TestEngine {
  readonly engine: Engine;
  readonly launcher: FakeLauncher;
  readonly clock: FakeClock;
  /** `level: message`, in order. */
  readonly logs: readonly string[];
}

/** Makes one; ids count from `id-0`, which is the connection's, and oversized frames are skipped unless told. */
export function testEngine(
  options: Partial<Pick<EngineOptions, "oversizedFrames" | "onItem" | "sessions">> = {},
): TestEngine {
  const launcher = new FakeLauncher();
  const clock = new FakeClock();
  const logs: string[] = [];
  let ids = 0;
  const engine = createEngine({
    launcher,
    clock,
    sha256,
    log: { write: (level, message) => void logs.push(`${level}: ${message}`) },
    newId: () => `id-${ids++}`,
    admission: createAdmission({
      expected: expectedChecks(),
      override: null,
      verified: () => Promise.resolve([]),
      log: { write: () => {} },
    }),
    oversizedFrames: "skip",
    invoke: buildRunInvocation,
    ...options,
  });
  return { engine, launcher, clock, logs };
}
