import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checkLines, type CheckReport } from "../../src/verify/report.ts";
import { checkIds } from "../../src/verify/suite.ts";
import { inPlace, standIn, verifyAll } from "./world.ts";

const passedIds = (checks: readonly CheckReport[]) =>
  checks.filter(({ passed }) => passed).map(({ id }) => id);

Deno.test("a CLI that does nothing passes no check but those that say that it did nothing", async () => {
  await inPlace("exit 0", async (place) => {
    const checks = await verifyAll(place);
    assertEquals(checks.map(({ id }) => id), checkIds());
    assertEquals(passedIds(checks), ["version.text", "network.loopback", "clean_up.confirmed"]);
  });
});

Deno.test("a CLI that says no version is tried no further", async () => {
  await inPlace("", async (place) => {
    await Deno.writeTextFile(place.executable, "#!/bin/sh\nexit 0\n");
    const checks = await verifyAll(place);
    assertEquals(checks.map(({ id }) => id), checkIds());
    assertEquals(passedIds(checks), ["network.loopback", "clean_up.confirmed"]);
    const [version, next] = checks;
    assertStringIncludes(version?.finding ?? "", "--version");
    assertStringIncludes(next?.finding ?? "", "not tried: --version");
    // The only process that was started.
    assertEquals((await Array.fromAsync(Deno.readDir(place.folder))).map(({ name }) => name), [
      "version",
    ]);
  });
});

Deno.test("a CLI whose session id is none fails checks, and not the verification", async () => {
  const frame = { type: "result", subtype: "success", is_error: false, session_id: "s" };
  await inPlace(`echo '${JSON.stringify(frame)}'`, async (place) => {
    const checks = await verifyAll(place);
    assertEquals(checks.map(({ id }) => id), checkIds());
    const findings = checks.flatMap((check) => check.finding ?? []);
    const said = findings.filter((one) => one.includes("cannot be given back to it"));
    assert(said.length > 0, findings.join("\n"));
    assertStringIncludes(said[0]!, "session_id");
  });
});

const RUNAWAYS = {
  "hangs and ignores SIGTERM": {
    body: "trap '' TERM; while :; do sleep 1; done",
    finding: "did not end within",
  },
  "floods with a line that never ends": {
    body: "tr '\\0' x < /dev/zero",
    finding: "printed more than 16 MiB",
  },
  "floods with lines": {
    body: `line=$(head -c 4000 /dev/zero | tr '\\0' x); yes "$line"`,
    finding: "printed more than 16 MiB",
  },
} as const;

for (const [what, { body, finding }] of Object.entries(RUNAWAYS)) {
  Deno.test(`a CLI that ${what} is ended, and after two of them not started again`, async () => {
    await inPlace(body, async (place) => {
      const checks = await verifyAll(place, { deadlineMs: 4_000 });
      assertEquals(passedIds(checks), ["version.text", "network.loopback", "clean_up.confirmed"]);
      const findings = checks.flatMap((check) => check.finding ?? []);
      assert(findings.some((one) => one.includes(finding)), findings[0]);
      assert(findings.some((one) => one.includes("not tried")), findings.at(-1));
    });
  });
}

Deno.test("an interruption ends what runs, and nothing else is begun", async () => {
  await inPlace("", async (place) => {
    // Says when it runs, then stays.
    await standIn(
      place.executable,
      `echo "$$" > "$CLAUDE_CONFIG_DIR/runs"; while :; do sleep 1; done`,
    );
    const ending = new AbortController();
    using watcher = Deno.watchFs(place.folder, { recursive: true });
    const verifying = verifyAll(place, { signal: ending.signal });
    for await (const { paths } of watcher) if (paths.some((path) => path.endsWith("/runs"))) break;
    ending.abort();
    const checks = await verifying;
    assertEquals(passedIds(checks), ["version.text", "network.loopback", "clean_up.confirmed"]);
    assert(checks.some(({ finding }) => finding?.includes("interrupted")));
    const begun = (await Array.fromAsync(Deno.readDir(place.folder))).length;
    assert(begun <= 3, `${begun} experiments were begun: the version and two at a time`);
  });
});

Deno.test("a failed check says in the table what has changed and what breaks", () => {
  const check: CheckReport = {
    id: "effort.low",
    title: "--effort=low is asked for",
    relies: "Claude thinks more",
    passed: false,
    finding: "--effort=low: the request says missing",
    seconds: 1.234,
  };
  assertEquals(
    checkLines(check),
    "FAILED   1.2 s  effort.low                     --effort=low is asked for\n" +
      "         changed: --effort=low: the request says missing\n" +
      "         breaks:  Claude thinks more\n",
  );
  assertEquals(checkLines({ ...check, passed: true, finding: null }).split("\n").length, 2);
});
