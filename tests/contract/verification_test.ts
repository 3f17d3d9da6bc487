import { assertEquals, assertNotEquals } from "@std/assert";
import { parseVerification } from "../../src/contract/parse_verification.ts";
import {
  contractDocument,
  contractSha256,
  type Verification,
} from "../../src/contract/verification.ts";
import { sha256 } from "../../src/host/sha256.ts";

const RECEIPT: Verification = {
  format_version: 1,
  contract_sha256: "a".repeat(64),
  adapter_version: "0.1.0",
  executable: {
    path: "/opt/claude",
    sha256: "b".repeat(64),
    size: 4,
    mtime_ms: 1,
    ctime_ms: 2,
    inode: 3,
    device: 4,
  },
  version_text: "2.1.340 (Claude Code)",
  checks: [{ id: "one", passed: true }, { id: "two", passed: true }],
  passed: true,
  at: "2026-01-31T08:00:00.000Z",
};

Deno.test("a receipt is read as it was written", () => {
  assertEquals(parseVerification(JSON.parse(JSON.stringify(RECEIPT))), RECEIPT);
  const failed = {
    ...RECEIPT,
    passed: false,
    version_text: "",
    checks: [{ id: "one", passed: false }, { id: "two", passed: true }],
  };
  assertEquals(parseVerification(failed), failed);
});

const { executable } = RECEIPT;
const DOCTORED: { readonly [what: string]: unknown } = {
  "no object": null,
  "another format": { ...RECEIPT, format_version: 2 },
  "an unknown member": { ...RECEIPT, note: "" },
  "an unknown member of the executable": { ...RECEIPT, executable: { ...executable, note: "" } },
  "a missing member": { ...RECEIPT, at: undefined },
  "a contract that is no digest": { ...RECEIPT, contract_sha256: "A".repeat(64) },
  "a relative path": { ...RECEIPT, executable: { ...executable, path: "claude" } },
  "a negative size": { ...RECEIPT, executable: { ...executable, size: -1 } },
  "a time as text": { ...RECEIPT, executable: { ...executable, mtime_ms: "1" } },
  "a version text with a newline at its end": { ...RECEIPT, version_text: "2.1.340\n" },
  "a pass without a version text": { ...RECEIPT, version_text: "" },
  "no checks": { ...RECEIPT, checks: [] },
  "a check twice": { ...RECEIPT, checks: [RECEIPT.checks[0], RECEIPT.checks[0]] },
  "passed although a check did not": {
    ...RECEIPT,
    checks: [{ id: "one", passed: false }],
  },
  "not passed although all checks did": { ...RECEIPT, passed: false },
  "another form of time": { ...RECEIPT, at: "2026-01-31 08:00" },
};

for (const [what, value] of Object.entries(DOCTORED)) {
  Deno.test(`a receipt with ${what} is none`, () => assertEquals(parseVerification(value), null));
}

Deno.test("the contract is one line of sorted JSON with the tree and the number of the checks", () => {
  const text = contractDocument();
  assertEquals(text.includes("\n"), false);
  const { tree, verify_suite } = JSON.parse(text);
  assertEquals(typeof verify_suite, "number");
  assertEquals(Object.keys(tree), Object.keys(tree).toSorted());
  assertEquals(contractSha256(sha256), sha256(text));
  assertNotEquals(
    contractSha256((changed) => sha256(changed.replace("--effort", "--efforts"))),
    sha256(text),
  );
});
