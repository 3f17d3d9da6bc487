import { assertEquals } from "@std/assert";
import { findOrphans, nativeOf, orphanOf } from "../../src/supervision/orphans.ts";
import type { OrphansInput } from "../../src/supervision/orphans.ts";
import type { ProcessRow } from "../../src/supervision/process_row.ts";
import { lookOf, row } from "./rows.ts";

const NAMESPACE = 4026531836;
/** The adapter that looks. */
const SELF = row(50, { start: 500, name: "deno" });
/** Another one that lives. */
const OTHER = row(60, { start: 600, name: "deno" });
const DEAD = `${NAMESPACE}.40.400.dead`;
const DEAD_TOO = `${NAMESPACE}.41.410.dead-too`;
const LIVING = `${NAMESPACE}.60.600.living`;
const OWN = `${NAMESPACE}.50.500.own`;
const ELSEWHERE = "4026532999.40.400.elsewhere";

const input = (
  rows: readonly ProcessRow[],
  given: Partial<OrphansInput> = {},
): OrphansInput => ({
  look: lookOf([SELF, OTHER, ...rows]),
  self: { pid: 50, start: 500 },
  namespace: NAMESPACE,
  inside: [],
  ...given,
});

interface Case {
  readonly name: string;
  readonly rows: readonly ProcessRow[];
  /** Run id to the pids of carriers and supervisors. */
  readonly lost: { readonly [runId: string]: readonly [readonly number[], readonly number[]] };
  readonly given?: Partial<OrphansInput>;
}

const CASES: readonly Case[] = [
  { name: "nothing marked, nothing lost", rows: [row(200)], lost: {} },
  {
    name: "what carries the token of an adapter that is gone is lost",
    rows: [row(200, { tokens: [DEAD] }), row(201, { tokens: [DEAD] })],
    lost: { dead: [[200, 201], []] },
  },
  {
    name: "a living adapter's run is not lost",
    rows: [row(200, { tokens: [LIVING] }), row(201, { supervises: LIVING })],
    lost: {},
  },
  { name: "nor is one's own", rows: [row(200, { tokens: [OWN] })], lost: {} },
  {
    name: "an adapter that is stopped lives",
    rows: [row(40, { start: 400 }), row(200, { tokens: [DEAD] })],
    lost: {},
  },
  {
    name: "an adapter that nobody has reaped yet is gone",
    rows: [row(40, { start: 400, alive: false }), row(200, { tokens: [DEAD] })],
    lost: { dead: [[200], []] },
  },
  {
    name: "a stranger with the dead adapter's pid is not the adapter",
    rows: [row(40, { start: 77_777 }), row(200, { tokens: [DEAD] })],
    lost: { dead: [[200], []] },
  },
  {
    name: "an adapter that was born during the look may be the one",
    rows: [row(40, { start: -1, tokens: [LIVING] }), row(200, { tokens: [DEAD] })],
    lost: {},
  },
  {
    name: "another namespace's adapter cannot be seen from here",
    rows: [row(200, { tokens: [ELSEWHERE] })],
    lost: {},
  },
  {
    name: "what a container inside a lost run marked again is spared with its namespace",
    rows: [row(200, { tokens: [DEAD] }), row(201, { tokens: [DEAD, ELSEWHERE] })],
    lost: { dead: [[200], []] },
  },
  {
    name: "other users' processes are not ours to end",
    rows: [row(200, { tokens: [DEAD], uid: 0 }), row(201, { supervises: DEAD, uid: 1001 })],
    lost: {},
  },
  {
    name: "not even for root",
    rows: [row(200, { tokens: [DEAD] })],
    lost: {},
    given: { look: { ...lookOf([SELF, row(200, { tokens: [DEAD] })]), uid: 0 } },
  },
  {
    name: "a process that is just going or was just born is left to the next look",
    rows: [row(200, { tokens: [DEAD], start: -1 }), row(201, { tokens: [DEAD], uid: -1 })],
    lost: {},
  },
  {
    name: "a zombie is nothing",
    rows: [row(200, { tokens: [DEAD], alive: false })],
    lost: {},
  },
  {
    name: "a supervisor that is still there is told apart",
    rows: [row(100, { supervises: DEAD }), row(200, { tokens: [DEAD] })],
    lost: { dead: [[200], [100]] },
  },
  {
    name: "a supervisor without anything else is a lost run too",
    rows: [row(100, { supervises: DEAD })],
    lost: { dead: [[], [100]] },
  },
  {
    name: "every lost run, the one with the oldest process first",
    rows: [row(300, { tokens: [DEAD_TOO], start: 9 }), row(200, { tokens: [DEAD] })],
    lost: { "dead-too": [[300], []], dead: [[200], []] },
  },
  {
    name: "a lost run inside a living one belongs to the living one",
    rows: [row(200, { tokens: [LIVING, DEAD] })],
    lost: {},
  },
  {
    name: "a living run inside a lost one is spared",
    rows: [row(200, { tokens: [DEAD] }), row(201, { tokens: [DEAD, LIVING] })],
    lost: { dead: [[200], []] },
  },
  {
    name: "a lost run inside a lost run is both",
    rows: [row(200, { tokens: [DEAD, DEAD_TOO] })],
    lost: { dead: [[200], []], "dead-too": [[200], []] },
  },
  {
    name: "the run that this adapter is a part of is not its to end, although it is lost",
    rows: [row(200, { tokens: [DEAD] })],
    lost: {},
    given: { inside: [DEAD] },
  },
  {
    name: "but what another adapter left inside the same run is",
    rows: [
      row(200, { tokens: [LIVING] }),
      row(201, { tokens: [LIVING, DEAD] }),
      row(202, { tokens: [LIVING, DEAD, ELSEWHERE] }),
    ],
    lost: { dead: [[201], []] },
    given: { inside: [LIVING] },
  },
  {
    name: "the shell that looks marks itself with nobody's token",
    rows: [row(200, { tokens: ["0.0.0.look"] })],
    lost: {},
    given: { namespace: 0 },
  },
];

for (const { name, rows, lost, given } of CASES) {
  Deno.test(`orphans: ${name}`, () => {
    const found = findOrphans(input(rows, given));
    const pids = (of: readonly ProcessRow[]) => of.map((one) => one.pid);
    const told = found.map((one) => [
      one.runId,
      [pids(one.carriers), pids(one.supervisors)],
    ]);
    assertEquals<readonly unknown[]>(told, Object.entries(lost));
  });
}

Deno.test("orphans: who sees only their own processes ends none", () => {
  const look = lookOf([SELF, row(200, { tokens: [DEAD] })]);
  const hidden = { ...look, rows: look.rows.filter((one) => one.pid !== 1) };
  assertEquals(findOrphans(input([], { look })).length, 1);
  assertEquals(findOrphans(input([], { look: hidden })), []);
});

Deno.test("orphans: living adapters, their supervisors and their runs are spared", () => {
  const [orphan] = findOrphans(input([
    row(100, { supervises: LIVING, ppid: 60 }),
    row(200, { tokens: [DEAD] }),
    // Inside the lost run: a living adapter with a run.
    { ...OTHER, tokens: [DEAD], ppid: 200 },
    row(101, { tokens: [DEAD, LIVING], ppid: 100 }),
  ]));
  assertEquals(orphan?.carriers.map((one) => one.pid), [200]);
  assertEquals(orphan?.spared.toSorted(), [100, 101, 50, 60]);
});

Deno.test("orphans: one run is told even when nothing of it is left, unless its adapter is there", () => {
  assertEquals(orphanOf(input([]), DEAD)?.carriers, []);
  assertEquals(orphanOf(input([]), LIVING), null);
  assertEquals(orphanOf(input([]), ELSEWHERE), null);
  assertEquals(orphanOf(input([]), "no token"), null);
});

Deno.test("orphans: the native process is the oldest of a group whose leader was the supervisor", () => {
  const native = row(200, { pgid: 100, start: 5, tokens: [DEAD] });
  const tool = row(190, { start: 6, tokens: [DEAD] });
  const told = (rows: readonly ProcessRow[]) => {
    const given = input(rows);
    return nativeOf(findOrphans(given)[0]!, given.look);
  };
  assertEquals(told([tool, native]), { pid: 200, group: 100 });
  assertEquals(told([tool, native, row(100, { supervises: DEAD })]), { pid: 200, group: 100 });
  assertEquals(told([tool, native, row(100)]), null, "somebody else leads that group");
  assertEquals(told([tool]), null, "it leads a group of its own, so it is a tool");
  assertEquals(told([row(100, { supervises: DEAD })]), null);
});
