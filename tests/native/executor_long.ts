/**
 * Long calls on the real CLI. It looks every 30 s whether a server has been silent for too long (read in the
 * executable), so whether the bridge keeps a call alive takes as long to see. The cases run side by side.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { Bridge } from "../../src/bridge/bridge.ts";
import { ToolBench } from "../../src/bridge/tool_bench.ts";
import { systemClock } from "../../src/host/clock.ts";
import { installNative } from "../../scripts/native/install.ts";
import { answer, toolUse } from "../../src/loopback/mod.ts";
import { inExecutorWorld, told, tool } from "./executor_world.ts";

const sleep = (ms: number, onCall = () => {}) =>
  tool("sleep", (_, { signal }) =>
    new Promise<string>((done, fail) => {
      onCall();
      const timer = setTimeout(done, ms, "slept");
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        fail(signal.reason);
      });
    }));
const script = [answer([toolUse("mcp__tools__sleep", {})]), answer("Done.")];
const amongOthers = true;
const options = { mcpIdleTimeoutMs: 2_000, streamIdleTimeoutMs: 1_500 };

/** The turn as it is. */
const kept = (onCall: () => void) =>
  inExecutorWorld({ script, options, amongOthers }, async ({ turn, model }) => {
    const { error } = await turn({ prompt: "Go", tools: [sleep(70_000, onCall)] });
    assertEquals([error, told(model, 1)], [null, ["slept"]]);
  });

/** The same turn with a bridge that says nothing while a call runs in the place of its own. */
const silent = async () => {
  const bench = new ToolBench([sleep(70_000)], { clock: systemClock });
  const log = { write: () => {} };
  await using bridge = new Bridge({ bench, clock: systemClock, log, keepAliveMs: null });
  const { url, authorization: Authorization } = bridge.address;
  const config = JSON.stringify({
    mcpServers: { tools: { type: "http", url, headers: { Authorization } } },
  });
  const program = `#!/bin/sh
for a in "$@"; do case "$a" in --mcp-config=*) echo '${config}' >"\${a#--mcp-config=}";; esac; done
exec '${await installNative()}' "$@"
`;
  // The executor does not know of this bridge's call, so the silence of the CLI must not count.
  const patient = { ...options, streamIdleTimeoutMs: 100_000 };
  await inExecutorWorld(
    { script, options: patient, program, amongOthers },
    async ({ turn, model }) => {
      const { error } = await turn({ prompt: "Go", tools: [sleep(1)] });
      assertEquals(error, null);
      assertMatch(told(model, 1)[0]!, /sent no response or progress for 3\ds/);
    },
  );
};

/** Starts both; resolves, when the calls run, to what waits for their end. */
export async function startLongCalls(): Promise<() => Promise<void>> {
  const running = Promise.withResolvers<void>();
  const ends = Promise.allSettled([kept(running.resolve), silent()]);
  await Promise.race([running.promise, ends]);
  return async () => {
    for (const end of await ends) if (end.status === "rejected") throw end.reason;
  };
}
