import { assertEquals, assertThrows } from "@std/assert";
import {
  parseLinuxLook,
  parseMacosLook,
  parsePsRow,
  parseStat,
} from "../../src/host/look_script.ts";

const NAMES = { marker: "MARK", supervisor: "SUPER" };
const stat = (pid: number, name: string, { ppid = 1, state = "S", threads = 1, start = 5 } = {}) =>
  `${pid} (${name}) ${state} ${ppid} ${pid} ${pid} 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 ${threads} 0 ${start} 1 1 1\n`;
const record = (pid: number, file: string, content: string) => `/proc/${pid}/${file}:${content}\0`;
const uid = (pid: number, id = 1000) => `/proc/${pid}/status:Uid:\t${id}\t0\t0\t0\n`;

function linux(records: readonly string[], uids: readonly string[], end = "end\n"): string {
  return `looker 900\0${record(900, "stat", stat(900, "sh"))}${records.join("")}uids\n${uid(900)}${
    uids.join("")
  }${end}`;
}

Deno.test("look: names with spaces, parentheses and newlines are read whole", () => {
  for (const name of ["a b", "a) S 1 1 (b", ") Z 0", "(((", "x\n7 (y) S 1", "", "é"]) {
    const look = parseLinuxLook(linux([record(7, "stat", stat(7, name))], [uid(7)]), NAMES);
    const found = look.rows.find((row) => row.pid === 7);
    assertEquals([found?.name, found?.ppid, found?.start, found?.uid], [name, 1, 5, 1000]);
    assertEquals([look.looker, look.uid, look.rows.length], [900, 1000, 2]);
  }
});

Deno.test("look: a zombie is not alive, a process whose leader thread ended is", () => {
  assertEquals(parseStat(stat(7, "x", { state: "Z" }), 0)?.alive, false);
  assertEquals(parseStat(stat(7, "x", { state: "X" }), 0)?.alive, false);
  assertEquals(parseStat(stat(7, "x", { state: "Z", threads: 3 }), 0)?.alive, true);
  for (const state of ["R", "S", "D", "T", "t", "I"]) {
    assertEquals(parseStat(stat(7, "x", { state }), 0)?.alive, true);
  }
});

Deno.test("look: half a line is no row", () => {
  const whole = stat(7, "x");
  for (
    const text of [
      "",
      "7",
      "7 (x",
      "7 (x) S 1 2",
      whole.slice(0, 40),
      whole.replace("7 ", "seven "),
    ]
  ) {
    assertEquals(parseStat(text, 0), null);
  }
});

Deno.test("look: a process that vanished between two files is left with what is known", () => {
  const look = parseLinuxLook(linux([record(7, "stat", stat(7, "x"))], []), NAMES);
  assertEquals(look.rows.find((row) => row.pid === 7)?.uid, -1);
});

Deno.test("look: tokens are read from exactly the variable", () => {
  const look = parseLinuxLook(
    linux([
      record(7, "stat", stat(7, "x")),
      record(8, "stat", stat(8, "x")),
      record(9, "stat", stat(9, "x")),
      record(7, "environ", "MARK=1.2.3.run,1.2.4.inner"),
      record(8, "environ", "OTHER=1\nMARK=1.2.3.run"),
      record(9, "environ", "MARK=hello"),
    ], [uid(7), uid(8), uid(9)]),
    NAMES,
  );
  const tokens = Object.fromEntries(look.rows.map((row) => [row.pid, row.tokens]));
  assertEquals(tokens, { 7: ["1.2.3.run", "1.2.4.inner"], 8: [], 9: [], 900: [] });
});

Deno.test("look: a supervisor is known by its own variable, which holds one token", () => {
  const values = {
    7: ["SUPER=1.2.3.run"],
    8: ["SUPER=1.2.3.run,1.2.4.inner"],
    9: ["SUPER=hello"],
    10: ["SUPER=1.2.3.run", "MARK=1.2.4.outer"],
    11: ["SUPERB=1.2.3.run"],
  };
  const records = Object.entries(values).flatMap(([pid, variables]) => [
    record(Number(pid), "stat", stat(Number(pid), "x")),
    ...variables.map((variable) => record(Number(pid), "environ", variable)),
  ]);
  const { rows } = parseLinuxLook(linux(records, []), NAMES);
  const said = rows.map((row) => [row.pid, row.supervises, row.tokens]);
  assertEquals(said, [
    [900, null, []],
    [7, "1.2.3.run", []],
    [8, null, []],
    [9, null, []],
    [10, "1.2.3.run", ["1.2.4.outer"]],
    [11, null, []],
  ]);
});

Deno.test("look: a marked process that was born during the look is there without a start time", () => {
  const look = parseLinuxLook(linux([record(7, "environ", "MARK=1.2.3.run")], [uid(7)]), NAMES);
  const found = look.rows.find((row) => row.pid === 7);
  assertEquals([found?.start, found?.alive, found?.uid, found?.tokens], [-1, true, 1000, [
    "1.2.3.run",
  ]]);
});

Deno.test("look: one that was cut short is none", () => {
  const whole = linux([record(7, "stat", stat(7, "x"))], [uid(7)]);
  for (let length = 0; length < whole.length; length++) {
    assertThrows(() => parseLinuxLook(whole.slice(0, length), NAMES), Error);
  }
  parseLinuxLook(whole, NAMES);
});

Deno.test("look: one that does not see its own shell is none", () => {
  assertThrows(
    () => parseLinuxLook(linux([], []).replace("looker 900", "looker 901"), NAMES),
    Error,
    "did not see",
  );
});

const PS = `looker 900
  900   100   900   501 S    Mon Sep  1 09:05:03 2025 /bin/sh
  101   100   100   501 S+   Mon Sep  1 09:05:01 2025 /Users/x/My Apps/claude code
  102   101   102   501 Z    Mon  1 Sep 09:05:02 2025 (sleep)
  103     1   103     0 Ss   Tue Dec 30 23:59:59 2025 /usr/sbin/cron
environments
  900 /bin/sh -c script TERM=x MARK=0.0.0.look
  101 claude -p MARK=1.2.3.run HOME=/Users/x
  103 /usr/sbin/cron SUPER=1.2.3.run
end
`;

Deno.test("look: what ps prints on macOS is read", () => {
  const look = parseMacosLook(PS, NAMES);
  assertEquals(
    look.rows.map((row) => [row.pid, row.ppid, row.pgid, row.sid, row.uid, row.alive, row.name]),
    [
      [900, 100, 900, 0, 501, true, "sh"],
      [101, 100, 100, 0, 501, true, "claude code"],
      [102, 101, 102, 0, 501, false, "(sleep)"],
      [103, 1, 103, 0, 0, true, "cron"],
    ],
  );
  assertEquals(look.rows.map((row) => row.tokens), [["0.0.0.look"], ["1.2.3.run"], [], []]);
  assertEquals(look.rows.map((row) => row.supervises), [null, null, null, "1.2.3.run"]);
  assertEquals(look.rows[1]!.start + 1, look.rows[2]!.start, "both orders of day and month");
  assertEquals([look.looker, look.uid], [900, 501]);
});

Deno.test("look: ps output that was cut short is none", () => {
  for (const length of [0, 40, PS.indexOf("environments"), PS.length - 4]) {
    assertThrows(() => parseMacosLook(PS.slice(0, length), NAMES), Error);
  }
  assertEquals(parsePsRow("garbage"), null);
});
