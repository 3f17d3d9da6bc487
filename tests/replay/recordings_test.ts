import { assert, assertEquals } from "@std/assert";
import { FIXTURES, type RecordedCase, recordedCases, replay } from "../helpers/replay.ts";

const CHUNK_SIZES = [1, 7, 4096, 0];

for (const name of await recordedCases()) {
  Deno.test(`the recording ${name} has its expected outcome at every chunk size`, async () => {
    const bytes = await Deno.readFile(new URL(`${name}.ndjson`, FIXTURES));
    const recorded = await readJson(`${name}.json`) as RecordedCase;
    const expected = await readJson(`${name}.expect.json`);
    for (const size of CHUNK_SIZES) {
      assertEquals(
        JSON.parse(JSON.stringify(await replay(bytes, recorded, size))),
        expected,
        `chunks of ${size}`,
      );
    }
  });
}

Deno.test("recordings cover at least thirty cases and every outcome a recording can have", async () => {
  const names = await recordedCases();
  assert(names.length >= 30, `only ${names.length} recordings`);
  const codes = new Set<string>();
  for (const name of names) {
    const expected = await readJson(`${name}.expect.json`) as {
      state: string;
      code: string | null;
    };
    codes.add(expected.code ?? expected.state);
  }
  assertEquals([...codes].sort(), [
    "authentication_required",
    "completed",
    "resume_failed",
    "usage_limited",
    "vendor_failed",
  ]);
});

async function readJson(name: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(new URL(name, FIXTURES)));
}
