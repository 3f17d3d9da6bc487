import { assert, assertStringIncludes } from "@std/assert";
import { versionsDocument } from "../../scripts/matrix/document.ts";
import type { VersionOutcome } from "../../scripts/matrix/verify_version.ts";

function verified(version: string, finding: string | null): VersionOutcome {
  const check = {
    id: "stop.tools",
    title: "t",
    relies: "tools go on",
    passed: finding === null,
    finding,
  };
  return {
    version,
    kind: "verified",
    program: "binary",
    report: { version_text: version, passed: finding === null, checks: [check] },
  };
}

Deno.test("the document says what holds, what differs, and which versions do not exist", () => {
  const text = versionsDocument([
    verified("1.0.0", "a | b in /some/temp/claude-code-adapter-verify-a1b2c3/plain/project"),
    { version: "1.0.1", kind: "absent" },
    verified("1.0.2", null),
  ]);
  assertStringIncludes(text, "| 1.0.0 | binary | **not kept** | `stop.tools` |");
  assertStringIncludes(text, "| 1.0.2 | binary | kept |  |");
  assertStringIncludes(text, "| `stop.tools` | a \\| b in …/plain/project | tools go on |");
  assertStringIncludes(text, "The registry does not have 1.0.1");
  assert(!text.includes("### 1.0.2"));
});
