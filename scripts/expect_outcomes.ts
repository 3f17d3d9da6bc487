/**
 * Writes `fixtures/streams/<case>.expect.json` for every recording: what this program makes of it.
 *
 * Run it after a recording was added or a rule changed, and review the difference by hand: the replay tests hold
 * the program against these files.
 *
 * @example
 * ```sh
 * deno run -A scripts/expect_outcomes.ts
 * ```
 *
 * @module
 */
import { FIXTURES, recordedCases, replay } from "../tests/helpers/replay.ts";

for (const name of await recordedCases()) {
  const bytes = await Deno.readFile(new URL(`${name}.ndjson`, FIXTURES));
  const recorded = JSON.parse(await Deno.readTextFile(new URL(`${name}.json`, FIXTURES)));
  const outcome = await replay(bytes, recorded, 4096);
  await Deno.writeTextFile(
    new URL(`${name}.expect.json`, FIXTURES),
    JSON.stringify(outcome, null, 2) + "\n",
  );
}
