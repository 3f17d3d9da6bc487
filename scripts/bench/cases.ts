/** Every benchmark. */

import type { BenchCase } from "./case.ts";
import { cancel } from "./cases/cancel.ts";
import { pingUnderFlood } from "./cases/flood.ts";
import { idle } from "./cases/idle.ts";
import { initialize } from "./cases/initialize.ts";
import { memory } from "./cases/memory.ts";
import { run } from "./cases/run.ts";
import { starts } from "./cases/starts.ts";
import { fourStreams, stream } from "./cases/streams.ts";

/** By the letter that `--only` takes. */
export const CASES: { readonly [letter: string]: BenchCase } = {
  a: { title: "from the start of the process to the answer to initialize", measure: initialize },
  b: { title: "a trivial run on the real CLI", measure: run },
  c: { title: "one stream of partial messages", measure: stream },
  d: { title: "four streams at once", measure: fourStreams },
  e: { title: "a request while a run floods", measure: pingUnderFlood },
  f: { title: "from a cancel to confirmed clean-up", measure: cancel },
  g: { title: "processor time while nothing happens", measure: idle },
  h: { title: "memory", measure: memory },
  i: { title: "start of the library and of print", measure: starts },
};
