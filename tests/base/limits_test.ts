import { assert, assertEquals } from "@std/assert";
import * as limits from "../../src/base/limits.ts";

Deno.test("the bounds that callers rely on have their published values", () => {
  assertEquals(
    [
      limits.MAX_FRAME_BYTES,
      limits.MAX_DISCARDED_FRAME_BYTES,
      limits.DISCARDED_FRAME_STALL_MS,
      limits.MAX_RETAINED_EVENTS,
      limits.MAX_RETAINED_EVENT_BYTES,
      limits.MAX_EVENT_BYTES,
      limits.MAX_FINAL_EVENT_BYTES,
      limits.MAX_STDERR_TAIL_BYTES,
      limits.MAX_RETAINED_RUNS,
      limits.MAX_ACTIVE_RUNS,
      limits.MAX_MESSAGE_BYTES,
      limits.MAX_VALUE_BYTES,
      limits.MAX_IN_FLIGHT_REQUESTS,
      limits.PEER_STALL_MS,
      limits.MAX_PAGE_BYTES,
      limits.VERSION_CHECK_MS,
      limits.MAX_ARGUMENT_BYTES,
    ],
    [
      1_048_576,
      67_108_864,
      2_000,
      256,
      262_144,
      131_072,
      131_072,
      65_536,
      32,
      4,
      1_048_576,
      524_288,
      16,
      5_000,
      196_608,
      5_000,
      131_071,
    ],
  );
});

Deno.test("the bounds fit into one another", () => {
  assert(limits.MAX_VALUE_BYTES + limits.MAX_DIGEST_TEXT_BYTES < limits.MAX_MESSAGE_BYTES);
  assert(limits.TERM_GRACE_MS + limits.STRAY_TERM_GRACE_MS < limits.CLEANUP_DEADLINE_MS);
  assert(limits.SHUTDOWN_MS > limits.CLEANUP_DEADLINE_MS + limits.RECEIPT_GRACE_MS);
  assert(limits.MAX_PAGE_BYTES < limits.MAX_VALUE_BYTES);
});
