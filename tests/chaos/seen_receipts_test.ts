import { assertEquals } from "@std/assert";
import { encodeUtf8 } from "../../src/base/json.ts";
import { readReceipts } from "../../src/host/receipt_reader.ts";
import { encodeReceipt, type Receipt } from "../../src/supervision/receipts.ts";

Deno.test("readReceipts() still reads how a run ended when its processes changed a thousand times before", async () => {
  const end: readonly Receipt[] = [
    { receipt: "exit", code: 0, signal: null },
    {
      receipt: "cleanup",
      cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
    },
  ];
  // A tool that builds with an empty environment: other processes without a marker at every look.
  const seen = Array.from({ length: 1_000 }, (_, at): Receipt => ({
    receipt: "seen",
    unmarked: [{ pid: 1_000 + at, start: at }],
  }));
  const reader = readReceipts(
    ReadableStream.from([...seen, ...end].map((receipt) => encodeUtf8(encodeReceipt(receipt)))),
    { write() {} },
  );
  const told: Receipt[] = [];
  reader.onReceipt((receipt) => told.push(receipt));
  const read = await Array.fromAsync(reader.receipts);
  assertEquals(read.filter(({ receipt }) => receipt !== "seen"), end);
  assertEquals(told.filter(({ receipt }) => receipt === "seen").length, 1_000);
});
