/** A frame may be nested as deeply as its bytes allow; nothing on its way to the peer may recurse over it. */
import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/base/json.ts";
import type { Engine } from "../../src/engine/api.ts";
import { settle } from "../helpers/fake_clock.ts";
import { followUp, init, result, says } from "../helpers/frames.ts";
import { testEngine } from "../helpers/test_engine.ts";
import { Peer } from "./peer.ts";

const DEPTH = 20_000;
const ARRAYS = "[".repeat(DEPTH) + "]".repeat(DEPTH);
/** Number-like keys send `JSON.stringify` off its iterative path. */
const NUMBERED = `{"1":`.repeat(DEPTH / 2) + "0" + "}".repeat(DEPTH / 2);

/** The line of a frame, with one more member whose text is given. */
function line(frame: JsonObject, member: string, text: string): string {
  const { [member]: _, ...others } = frame;
  return `${JSON.stringify(others).slice(0, -1)},"${member}":${text}}\n`;
}

const denial = (input: string): string =>
  `[{"tool_name":"Bash","tool_use_id":"t1","tool_input":${input}}]`;

for (const [shape, deep] of Object.entries({ arrays: ARRAYS, "numbered members": NUMBERED })) {
  const scenes: Record<string, readonly (JsonObject | string)[]> = {
    "a denial": [line(result(), "permission_denials", denial(deep))],
    "a denial beside a numbered member": [
      line(result(), "permission_denials", denial(`{"1":${deep}}`)),
    ],
    "the final event": [line(result(), "extra", deep)],
    "a follow-up's denial": [
      init(),
      result(),
      line(followUp(), "permission_denials", denial(deep)),
    ],
    "a follow-up": [result(), line(followUp(), "extra", deep)],
    "an event": [line(says("hi"), "extra", deep), result()],
    "an event too large to keep": [
      line({ type: "user", pad: "x".repeat(140_000) }, "extra", deep),
      result(),
    ],
    "content": [line({ type: "user" }, "message", `{"content":[${deep}]}`), result()],
  };
  for (const [what, frames] of Object.entries(scenes)) {
    Deno.test(`${what} nested deeply in ${shape} leaves the run and its events readable`, async () => {
      const { engine, launcher } = testEngine();
      const peer = new Peer<Engine>({ engine });
      await peer.initialize();
      await peer.call("run", "claude.run", { prompt: "x" });
      await settle();
      launcher.last.starts().prints(init(), ...frames).ends(0);
      const run = valueOf(await peer.next());
      assertEquals([run.state, run.error, run.result], ["completed", undefined, "the answer"]);
      const { run_id } = run;
      const again = await peer.request("again", "tools/call", {
        name: "claude.run.result",
        arguments: { run_id },
      });
      assertEquals(valueOf(again).state, "completed");
      const page = valueOf(
        await peer.request("events", "tools/call", {
          name: "claude.run.events",
          arguments: { run_id },
        }),
      );
      assertEquals((page.events as unknown[]).length, frames.length + 1);
      assertEquals(peer.logged.filter((text) => text.includes("unexpected")), []);
      await peer.end();
    });
  }
}

function valueOf(answer: JsonObject): JsonObject {
  return ((answer.result as JsonObject).structuredContent as { result: JsonObject }).result;
}
