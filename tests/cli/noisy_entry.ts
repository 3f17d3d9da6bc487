/** The program with a dependency that logs to the console all the time, as dependencies do. */
import { main } from "../../src/cli/main.ts";

function makeNoise(): void {
  // deno-lint-ignore no-console -- the noise under test
  const { log, info, debug, table, dir, group, error, trace, count } = console;
  for (const print of [log, info, debug, table, dir, group, error, trace]) print("noise", { n: 1 });
  count("noise");
}

// The console's methods are looked up when the timer fires: what was bound before is not ours to guard.
setInterval(makeNoise, 5);
Deno.exit(await main(Deno.args));
