/**
 * Runs every benchmark and prints one table: `deno task bench`.
 *
 * Each figure is a median of runs that alternate with what they are compared with, with the fastest and the
 * slowest in brackets. Only the ratios mean anything on another machine.
 *
 * @module
 */

import { initialize } from "./initialize.ts";
import { printTable, type Row } from "./measure.ts";
import { memory } from "./memory.ts";
import { runOverhead } from "./run_overhead.ts";
import { pipelineThroughput, runThroughput } from "./stream_throughput.ts";

const rows: Row[] = [];
for (const measure of [initialize, runOverhead, pipelineThroughput, runThroughput, memory]) {
  rows.push(await measure());
}
printTable(rows);
