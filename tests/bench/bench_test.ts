/** Every benchmark at its smallest, so that none rots: what it found, never how fast. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { hasAlternatives } from "../../scripts/bench/alternatives.ts";
import { CASES } from "../../scripts/bench/cases.ts";
import { withGenerated } from "../../scripts/bench/document.ts";
import { aimText, figure, type Finding, isMet } from "../../scripts/bench/finding.ts";
import { describeMachine } from "../../scripts/bench/machine.ts";
import { byTurns, percentile, sample } from "../../scripts/bench/measure.ts";
import { processorSpan } from "../../scripts/bench/processes.ts";
import { reportJson, reportMarkdown, reportText } from "../../scripts/bench/report.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";

const ONLY_LINUX = Deno.build.os !== "linux";

/** How many findings each case has at its smallest. */
const FINDINGS: Readonly<Record<string, number>> = {
  a: 6,
  b: await hasAlternatives() ? 5 : 2,
  c: 9,
  d: 3,
  e: 2,
  f: 3,
  g: 2,
  h: 5,
  i: 4,
};

Deno.test("every case has findings that can be read", { ignore: ONLY_LINUX }, async (t) => {
  assertEquals(Object.keys(CASES), Object.keys(FINDINGS));
  // Everything that the cases make is below it, so that what they leave can be told from what others do.
  const folder = await Deno.makeTempDir();
  Deno.env.set("TMPDIR", folder);
  const findings: Record<string, readonly Finding[]> = {};
  for (const [letter, { title, measure }] of Object.entries(CASES)) {
    await t.step(`${letter}: ${title}`, async () => {
      const found = await measure("smallest");
      assertEquals(found.length, FINDINGS[letter]);
      for (const finding of found) {
        assert(Number.isFinite(finding.figure.sample.median), finding.what);
        assertEquals(typeof isMet(finding), finding.aim === undefined ? "object" : "boolean");
      }
      findings[letter] = found;
    });
  }
  const report = { size: "smallest", machine: await describeMachine(), findings } as const;
  const text = reportText(report);
  const document = reportMarkdown(report);
  const data = JSON.parse(reportJson(report));
  for (const [letter, found] of Object.entries(findings)) {
    assertEquals(data.findings[letter].length, found.length);
    for (const { what } of found) assert(text.includes(what) && document.includes(what), what);
  }
  assertEquals(await leftBehind(folder), []);
  assertEquals([...Deno.readDirSync(folder)], []);
  Deno.env.delete("TMPDIR");
  await Deno.remove(folder);
});

Deno.test("processor time of less than a tick still has a ratio", () => {
  assertEquals([processorSpan(40, 40), processorSpan(40, 50), processorSpan(40, 90)], [10, 10, 50]);
});

Deno.test("rounds take turns, the first does not count, and ratios are of the same round", async () => {
  const order: string[] = [];
  const action = (name: string, values: readonly number[]) => {
    let at = 0;
    return () => {
      order.push(name);
      return Promise.resolve({ ms: values[at++]! });
    };
  };
  const rounds = await byTurns(3, {
    one: action("1", [1000, 10, 20, 90]),
    two: action("2", [1000, 5, 10, 30]),
  });
  assertEquals(order.join(""), "12211221");
  assertEquals(rounds.of("one"), { median: 20, min: 10, max: 90, count: 3 });
  assertEquals(rounds.ratio("one", "two"), { median: 2, min: 2, max: 3, count: 3 });
  assertEquals(rounds.difference("one", "two"), { median: 10, min: 5, max: 60, count: 3 });
  assertThrows(() => rounds.of("one", "bytes"), Error, "Nobody measured 'bytes'");
});

Deno.test("medians, percentiles and aims are what they say", () => {
  assertEquals(sample([4, 1, 3, 2]).median, 2.5);
  assertThrows(() => sample([]), Error, "no median");
  assertThrows(() => sample([1, NaN]), Error, "no median");
  assertEquals(percentile([5, 1, 4, 2, 3], 0.5), 3);
  assertEquals(percentile(Array.from({ length: 100 }, (_, at) => at + 1), 0.99), 99);
  assertThrows(() => percentile([], 0.5), Error, "no percentile");
  const finding = { what: "it", figure: figure("ms", sample([5])) };
  assertEquals(isMet(finding), null);
  assertEquals(aimText({ ...finding, aim: { of: "figure", atMost: 5 } }), "≤ 5 ms: met");
  assertEquals(aimText({ ...finding, aim: { of: "figure", atLeast: 6 } }), "≥ 6 ms: missed");
  assertThrows(() => isMet({ ...finding, aim: { of: "comparison", atMost: 5 } }));
});

Deno.test("the document keeps what people wrote and needs its marks", () => {
  const begin = "<!-- Written by deno task bench: begin -->";
  const end = "<!-- Written by deno task bench: end -->";
  const text = `a\n${begin}\nold\n${end}\nb\n`;
  const written = withGenerated(text, "new");
  assertEquals(written, `a\n${begin}\n\nnew\n\n${end}\nb\n`);
  assertEquals(withGenerated(written, "new"), written);
  for (const broken of ["a", `${begin} ${begin} ${end}`, `${end} ${begin}`]) {
    assertThrows(() => withGenerated(broken, "new"), Error, "The document must have");
  }
});
