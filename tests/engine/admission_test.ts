import { assertEquals, assertStringIncludes } from "@std/assert";
import { createAdmission } from "../../src/engine/admission.ts";

const TREE = [
  { args: ["--version"], stdout: "1.0\n" },
  { args: ["--features"], stdout: "a b\n" },
];

function admission(options: { override?: string; verified?: () => Promise<readonly string[]> }) {
  const logs: string[] = [];
  const { checks } = createAdmission({
    expected: TREE,
    override: options.override ?? null,
    verified: options.verified ?? (() => Promise.resolve([])),
    log: {
      write: (level, message, fields) =>
        void logs.push(`${level}: ${message} ${fields?.["detail"]}`),
    },
  });
  return { checks, logs };
}

Deno.test("only the tree's own output admits, unless there is more", async () => {
  assertEquals(await admission({}).checks("/opt/claude"), [
    { args: ["--version"], accepts: [{ stdout: "1.0\n", by: "tree" }] },
    { args: ["--features"], accepts: [{ stdout: "a b\n", by: "tree" }] },
  ]);
});

Deno.test("receipts and the operator's word are about the version, and weaker than the tree", async () => {
  const { checks } = admission({
    override: "3.0",
    verified: () => Promise.resolve(["2.0", "1.0"]),
  });
  assertEquals((await checks("/opt/claude")).map(({ accepts }) => accepts), [
    [
      { stdout: "1.0\n", by: "tree" },
      { stdout: "2.0\n", by: "receipt" },
      { stdout: "1.0\n", by: "receipt" },
      { stdout: "3.0\n", by: "override" },
    ],
    [{ stdout: "a b\n", by: "tree" }],
  ]);
});

Deno.test("receipts that cannot be read take nothing away from the tree, and are logged", async () => {
  const { checks, logs } = admission({
    override: "3.0",
    verified: () => Promise.reject(new Error("no such disk")),
  });
  assertEquals((await checks("/opt/claude"))[0]?.accepts.map(({ by }) => by), ["tree", "override"]);
  assertEquals(logs.length, 1);
  assertStringIncludes(logs[0] ?? "", "no such disk");
});
