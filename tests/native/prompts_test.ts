import { assert, assertEquals } from "@std/assert";
import { answer, type LoopbackModel } from "../../src/loopback/mod.ts";
import { inWorld } from "./world.ts";

/** Whether the model was told exactly this, as one block of its own. */
function wasTold(model: LoopbackModel, prompt: string): boolean {
  const messages = model.messages[0]?.body?.messages ?? [];
  return messages.some(({ content }) =>
    content === prompt ||
    (typeof content !== "string" && content.some((block) => block.text === prompt))
  );
}

const PROMPTS: Readonly<Record<string, string>> = {
  "that begins with a dash": "--help me please",
  "that is a flag of the CLI": "--version",
  "with newlines, quotes and shell characters":
    "one\r\ntwo\n\"three\" 'four' `$HOME` \\ $(id) * ; &\n",
  "with characters of every width": "é ü ß 漢字 👩‍👩‍👧 e\u0301 \u2028 \u2029 \ud83d\ude00 \ufeff end",
};

for (const [what, prompt] of Object.entries(PROMPTS)) {
  Deno.test(`a prompt ${what} arrives as it was given`, async () => {
    await inWorld({ script: () => [answer("Noted.")] }, async ({ run, model }) => {
      assertEquals((await run({ prompt })).result, "Noted.");
      assert(wasTold(model, prompt), JSON.stringify(model.messages[0]?.body?.messages));
    });
  });
}

Deno.test("a prompt of 200,000 bytes, too long for an argument, arrives whole", async () => {
  const prompt = `begin ${"é".repeat(99_994)} end.`;
  assertEquals(new TextEncoder().encode(prompt).length, 199_999);
  await inWorld({ script: () => [answer("Noted.")] }, async ({ run, model }) => {
    assertEquals((await run({ prompt: `${prompt}!` })).result, "Noted.");
    assert(wasTold(model, `${prompt}!`));
  });
});
