/**
 * Ends many runs at random moments in random ways and looks at what is left: `deno task chaos`.
 *
 * ```sh
 * deno run -A scripts/chaos.ts [--cycles 500] [--seed N] [--first N] [--lanes 3] [--native]
 * ```
 *
 * Prints what was found, and how long clean-up took for each kind of end. The exit code is 1 when a process was left
 * or a claim was false. The same seed plans the same cycles; `--first 17 --cycles 1` repeats one of them.
 *
 * Linux only: it looks into /proc with its own eyes.
 *
 * @module
 */
import { runChaos } from "./chaos/chaos.ts";
import { describeFaults, describeReport, faultsOf } from "./chaos/report.ts";

// deno-lint-ignore no-console -- printing is what this script is for
const print = console.log;

const options = new Map<string, string>();
for (let at = 0; at < Deno.args.length; at++) {
  const [name = "", value] = Deno.args[at]!.split("=", 2);
  if (!["--cycles", "--seed", "--first", "--lanes", "--native"].includes(name)) {
    print(`Unknown option '${name}': there are --cycles, --seed, --first, --lanes and --native`);
    Deno.exit(2);
  }
  options.set(name, value ?? (name === "--native" ? "" : Deno.args[++at] ?? ""));
}
const number = (name: string, fallback: number): number => {
  const value = Number(options.get(name) ?? fallback);
  if (Number.isInteger(value) && value >= 0) return value;
  print(`'${name}' takes a whole number, not '${options.get(name)}'`);
  Deno.exit(2);
};

const cycles = number("--cycles", 500);
const seed = number("--seed", crypto.getRandomValues(new Uint32Array(1))[0]!);
print(`${cycles} cycles, seed ${seed}`);
let done = 0;
const report = await runChaos({
  cycles,
  seed,
  first: number("--first", 0),
  lanes: Math.max(1, number("--lanes", 3)),
  native: options.has("--native"),
  onCycle(result) {
    done += 1;
    for (const line of describeFaults(result)) print(line);
    if (done % 50 === 0) print(`${done} cycles`);
  },
});
print(describeReport(report));
const { leftOvers, falseClaims } = faultsOf(report);
if (leftOvers + falseClaims > 0) Deno.exit(1);
