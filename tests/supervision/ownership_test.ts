import { assertEquals } from "@std/assert";
import { ownership } from "../../src/supervision/ownership.ts";
import type { OwnershipInput } from "../../src/supervision/ownership.ts";
import type { Identity, ProcessRow } from "../../src/supervision/process_row.ts";
import { lookOf, row } from "./rows.ts";

const TOKEN = "4026531836.50.500.run";
const SUPERVISOR = row(100, { ppid: 50, name: "deno" });
const NATIVE = row(101, { ppid: 100, pgid: 100, sid: 100, tokens: [TOKEN], name: "claude" });

interface Case {
  readonly name: string;
  readonly rows: readonly ProcessRow[];
  readonly owned: readonly number[];
  readonly foreign?: readonly number[];
  readonly given?: Partial<OwnershipInput>;
}

const seen = (...identities: Identity[]) => ({ seen: identities });

const CASES: readonly Case[] = [
  { name: "a supervisor alone owns nothing", rows: [SUPERVISOR], owned: [] },
  { name: "a child of the supervisor is owned", rows: [SUPERVISOR, NATIVE], owned: [101] },
  {
    name: "a zombie is gone",
    rows: [SUPERVISOR, { ...NATIVE, alive: false }],
    owned: [],
  },
  {
    name: "the parent chain is followed over sessions and without a marker",
    rows: [SUPERVISOR, NATIVE, row(102, { ppid: 101 }), row(103, { ppid: 102 })],
    owned: [101, 102, 103],
  },
  {
    name: "a member of the native group whose parent is gone is owned",
    rows: [SUPERVISOR, row(110, { pgid: 100, sid: 100 })],
    owned: [110],
  },
  {
    name: "a member of the native session in another group is owned",
    rows: [SUPERVISOR, row(110, { pgid: 110, sid: 100 })],
    owned: [110],
  },
  {
    name: "a daemon with the marker is owned",
    rows: [SUPERVISOR, row(120, { pgid: 119, sid: 119, tokens: [TOKEN] })],
    owned: [120],
  },
  {
    name: "a run inside a run is owned by both",
    rows: [SUPERVISOR, row(120, { tokens: [TOKEN, "1.2.3.inner"] })],
    owned: [120],
  },
  {
    name: "another run's marker is nothing to us",
    rows: [SUPERVISOR, row(120, { tokens: ["4026531836.50.500.run2"] })],
    owned: [],
  },
  {
    name: "fellows of a marked daemon are owned when their session's leader is gone",
    rows: [
      SUPERVISOR,
      row(120, { pgid: 119, sid: 119, tokens: [TOKEN] }),
      row(121, { pgid: 119, sid: 119 }),
    ],
    owned: [120, 121],
  },
  {
    name: "a marker copied into somebody's shell does not take their session",
    rows: [SUPERVISOR, row(200), row(201, { ppid: 200, sid: 200, pgid: 201, tokens: [TOKEN] })],
    owned: [201],
  },
  {
    name: "what was seen is owned although its parent is gone and its marker too",
    rows: [SUPERVISOR, row(130)],
    owned: [130],
    given: seen({ pid: 130, start: 1300 }),
  },
  {
    name: "a recycled pid is not what was seen",
    rows: [SUPERVISOR, row(130, { start: 9999 })],
    owned: [],
    given: seen({ pid: 130, start: 1300 }),
  },
  {
    name: "children of what was seen are owned",
    rows: [SUPERVISOR, row(130), row(131, { ppid: 130 })],
    owned: [130, 131],
    given: seen({ pid: 130, start: 1300 }),
  },
  {
    name: "the adapter is never owned",
    rows: [SUPERVISOR, row(50, { tokens: [TOKEN], sid: 100 })],
    owned: [],
    given: { excluded: [50] },
  },
  {
    name: "the looking shell and its children are never owned",
    rows: [
      SUPERVISOR,
      row(901, { ppid: 900, sid: 900, pgid: 900 }),
      row(902, { ppid: 901, sid: 100 }),
    ],
    owned: [],
  },
  {
    name: "another user's process of the run is reported apart",
    rows: [SUPERVISOR, NATIVE, row(140, { ppid: 101, uid: 0 }), row(141, { ppid: 140 })],
    owned: [101, 141],
    foreign: [140],
  },
  {
    name: "what went while it was looked at is gone",
    rows: [SUPERVISOR, row(140, { ppid: 100, uid: -1 })],
    owned: [],
  },
  {
    name: "without a supervisor its group is still the run's",
    rows: [row(110, { pgid: 100, sid: 100 }), row(111, { ppid: 110 })],
    owned: [110, 111],
    given: { supervisorAlive: false },
  },
  {
    name: "a stranger that got the dead supervisor's pid keeps its group",
    rows: [row(100, { start: 77_777 }), row(110, { ppid: 100, pgid: 100, sid: 100 })],
    owned: [],
    given: { supervisorAlive: false },
  },
  {
    name: "a supervisor that nobody has reaped yet leaves its group to the run",
    rows: [{ ...SUPERVISOR, alive: false }, row(110, { pgid: 100, sid: 100 })],
    owned: [110],
    given: { supervisorAlive: false },
  },
  {
    name: "sessions that the system does not tell are no sign",
    rows: [SUPERVISOR, { ...NATIVE, sid: 0 }, row(300, { sid: 0 })],
    owned: [101],
  },
  {
    name: "strangers stay strangers",
    rows: [SUPERVISOR, NATIVE, row(300), row(301, { ppid: 300, sid: 300 }), row(302)],
    owned: [101],
  },
];

for (const { name, rows, owned, foreign, given } of CASES) {
  Deno.test(`ownership: ${name}`, () => {
    const found = ownership({
      look: lookOf(rows),
      supervisor: 100,
      supervisorAlive: true,
      token: TOKEN,
      seen: [],
      excluded: [50],
      ...given,
    });
    assertEquals(found.owned.map((one) => one.pid), owned);
    assertEquals(found.foreign.map((one) => one.pid), foreign ?? []);
  });
}

Deno.test("ownership: pid 1 with every sign of the run is left alone", () => {
  const found = ownership({
    look: {
      looker: 900,
      uid: 0,
      rows: [
        row(1, { uid: 0, tokens: [TOKEN], sid: 100, pgid: 100, ppid: 100 }),
        row(900, { uid: 0 }),
      ],
    },
    supervisor: 100,
    supervisorAlive: true,
    token: TOKEN,
    seen: [{ pid: 1, start: 10 }],
    excluded: [],
  });
  assertEquals(found, { owned: [], foreign: [] });
});

Deno.test("ownership: a chain of 2,000 generations is followed to its end", () => {
  const chain = Array.from(
    { length: 2_000 },
    (_, i) => row(1_000 + i, { ppid: i === 0 ? 100 : 999 + i }),
  );
  const found = ownership({
    look: lookOf([SUPERVISOR, ...chain.toReversed()]),
    supervisor: 100,
    supervisorAlive: true,
    token: TOKEN,
    seen: [],
    excluded: [],
  });
  assertEquals(found.owned.length, 2_000);
});
