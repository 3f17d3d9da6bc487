/**
 * How much memory is really in use, for tests that say it stays flat.
 *
 * @module
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/**
 * Bytes of the heap that are still reachable: counted after a collection, because otherwise the figure
 * mostly says how long ago the last one was (measured: 150 MB of noise over 100,000 frames).
 */
export function liveHeapBytes(): number {
  collect();
  return Deno.memoryUsage().heapUsed;
}
