import { assert, assertEquals } from "@std/assert";
import { answer, toolUse } from "../../src/loopback/mod.ts";
import type { Answer } from "../helpers/mcp_client.ts";
import { noisePng } from "./png.ts";
import { inWorld } from "./world.ts";

Deno.test("a screenshot of which the CLI makes a frame over 1 MiB is left out, and the run succeeds", async () => {
  const script = (project: string) => [
    answer([toolUse("Read", { file_path: `${project}/screen.png` })]),
    answer("I see noise."),
  ];
  await inWorld({ script }, async ({ run, project, model }) => {
    await Deno.writeFile(`${project}/screen.png`, noisePng(1100));
    const value = await run({ prompt: "look at screen.png" });
    assertEquals([value.state, value.result], ["completed", "I see noise."]);
    const omitted = value.events.filter((event: Answer) => event.omitted === true);
    assertEquals(omitted.length, 1);
    assertEquals([omitted[0].reason, omitted[0].type], ["frame_byte_bound", "user"]);
    assert(omitted[0].bytes > 1024 * 1024);
    assertEquals(value.event_page.omitted_events, 1);
    assertEquals(value.events_truncated, true);
    assert(JSON.stringify(model.messages[1]?.body).includes('"type":"image"'));
  });
});
