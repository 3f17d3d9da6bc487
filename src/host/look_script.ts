/**
 * The shell scripts that read the process table, and the pure reading of what they print.
 *
 * Deno may not read /proc without --allow-all (measured: even with --allow-read), so a shell does, with two or three
 * `grep`s: for 70 processes 6 ms, or 9.
 *
 * @module
 */
import type { Look, LookKind, ProcessRow } from "../supervision/process_row.ts";
import { parseMarkerValue, parseSupervisorValue } from "../supervision/marker.ts";

/** The variables that are looked for. */
export interface LookedFor {
  /** The variable that the processes of a run carry. */
  readonly marker: string;
  /** The variable that a supervisor carries. */
  readonly supervisor: string;
}

/**
 * Linux. `$1` and `$2` are the names of the variables, `$3` is `quick` or `full`, `$4` is `z` when it is known that grep
 * has -z. It prints NUL-separated records `path:content` (a command name may hold newlines and parentheses, but no NUL),
 * then `uid` lines unless it is quick. A process that vanishes meanwhile is simply not printed.
 * `last` is the pid that was given last before the rows were read; after it the script starts
 * {@linkcode LOOK_FORKS} processes.
 * The environments are listed after the rows were read, in a grep of their own: a process that was born in between, of
 * a parent that ended before its row was read, is in that list at least.
 * Without a grep that knows -z (some busybox), builtins and `tr` do the same, slower.
 */
export const LINUX_LOOK = `
printf 'looker %s\\0' "$$"
if [ "$4" = z ] || printf 'a\\nb\\0' | grep -q -z -x -E 'a.b' 2>/dev/null; then
  read -r a b c d last < /proc/loadavg 2>/dev/null && printf 'last %s\\0' "$last"
  grep -a -H -z -e '' /proc/[0-9]*/stat 2>/dev/null
  grep -a -H -z -x -E -e "($1|$2)=[0-9A-Za-z.,_-]+" /proc/[0-9]*/environ 2>/dev/null
else
  for d in /proc/[0-9]*; do
    printf '%s/stat:' "$d"
    while IFS= read -r line; do printf '%s\\n' "$line"; done < "$d/stat"
    printf '\\0'
    tr '\\000\\n' '\\n\\001' < "$d/environ" | grep -a -x -E -e "($1|$2)=[0-9A-Za-z.,_-]+" |
      while IFS= read -r value; do printf '%s/environ:%s\\0' "$d" "$value"; done
  done 2>/dev/null
fi
printf 'uids\\n'
[ "$3" = quick ] || grep -H -e '^Uid:' /proc/[0-9]*/status 2>/dev/null
printf 'end\\n'
`;

/** The `grep`s of {@linkcode LINUX_LOOK} after its `last`. */
export const LOOK_FORKS: Readonly<Record<LookKind, number>> = { full: 3, quick: 2 };

/**
 * Linux: succeeds when this shell is the process `$1` and the youngest of all, so that nobody was born since whoever
 * had the pid before it. Starts nothing itself.
 */
export const LINUX_NO_NEWS = `
[ "$$" = "$1" ] && read -r a b c d last < /proc/loadavg && [ "$last" = "$1" ]
`;

/** Linux: the pid namespace, then the stat line of this shell's parent. */
export const LINUX_SELF = `
readlink /proc/self/ns/pid 2>/dev/null || printf 'pid:[0]\\n'
grep -a '' /proc/$PPID/stat
`;

/**
 * macOS. `ps` has no sessions worth the name there, and shows environments of one's own processes only, as
 * words after the command.
 */
export const MACOS_LOOK = `
printf 'looker %s\\n' "$$"
ps -A -o pid= -o ppid= -o pgid= -o uid= -o stat= -o lstart= -o comm=
printf 'environments\\n'
ps -A -E -ww -o pid= -o command=
printf 'end\\n'
`;

/** macOS: this shell's parent, as a row. */
export const MACOS_SELF = `
ps -p "$PPID" -o pid= -o ppid= -o pgid= -o uid= -o stat= -o lstart= -o comm=
`;

/** Reads what {@linkcode LINUX_LOOK} printed. Throws `Error` when the look was cut short or saw nothing. */
export function parseLinuxLook(text: string, names: LookedFor): Look {
  const cut = text.lastIndexOf("\0");
  const tail = text.slice(cut + 1);
  if (!tail.startsWith("uids\n") || !tail.endsWith("end\n")) {
    throw new Error("The look was cut short");
  }
  const records = text.slice(0, cut).split("\0");
  const looker = Number(/^looker (\d+)$/.exec(records[0] ?? "")?.[1]);
  const uids = new Map<number, number>();
  for (const match of tail.matchAll(/^\/proc\/(\d+)\/status:Uid:\s+(\d+)/gm)) {
    uids.set(Number(match[1]), Number(match[2]));
  }
  const last = /^last (\d+)$/.exec(records[1] ?? "")?.[1];
  const rows = new Map<number, ProcessRow>();
  const carried = createCarried(names);
  for (const record of records.slice(1)) {
    const match = /^\/proc\/(\d+)\/(stat|environ):/.exec(record);
    if (match === null) continue;
    const pid = Number(match[1]);
    const content = record.slice(match[0].length);
    if (match[2] === "stat") {
      const row = parseStat(content, uids.get(pid) ?? -1);
      if (row !== null && row.pid === pid) rows.set(pid, row);
    } else carried.take(pid, content.trimEnd());
  }
  // The list of environments is younger than the list of rows: a process that carries a marker and has no row
  // was born in between, perhaps by a parent that is gone. It counts, so that nobody takes the look for an
  // empty one; the next look has its row.
  for (const pid of carried.tokens.keys()) {
    if (!rows.has(pid)) rows.set(pid, unknownRow(pid, uids.get(pid) ?? -1));
  }
  return {
    ...finishLook({ looker, rows, carried }),
    ...(last !== undefined && { last: Number(last) }),
  };
}

/** What the environments of processes say. */
interface Carried {
  readonly tokens: ReadonlyMap<number, readonly string[]>;
  readonly supervised: ReadonlyMap<number, string>;
  /** Takes one `NAME=value` of a process. */
  take(pid: number, variable: string): void;
}

function createCarried(names: LookedFor): Carried {
  const tokens = new Map<number, readonly string[]>();
  const supervised = new Map<number, string>();
  return {
    tokens,
    supervised,
    take(pid, variable) {
      const equals = variable.indexOf("=");
      const name = variable.slice(0, equals);
      const value = variable.slice(equals + 1);
      if (name === names.marker) {
        tokens.set(pid, [...(tokens.get(pid) ?? []), ...parseMarkerValue(value)]);
      } else if (name === names.supervisor) {
        const token = parseSupervisorValue(value);
        if (token !== null) supervised.set(pid, token);
      }
    },
  };
}

const UNMARKED = { tokens: [], supervises: null } as const;

function unknownRow(pid: number, uid: number): ProcessRow {
  return { pid, ppid: 0, pgid: 0, sid: 0, uid, start: -1, alive: true, name: "", ...UNMARKED };
}

/** Reads one `/proc/PID/stat`; `null` when it is not whole. */
export function parseStat(stat: string, uid: number): ProcessRow | null {
  const open = stat.indexOf(" (");
  const close = stat.lastIndexOf(") ");
  if (open < 1 || close < open) return null;
  const fields = stat.slice(close + 2).trimEnd().split(" ");
  if (fields.length < 20) return null;
  const numbers = [stat.slice(0, open), fields[1], fields[2], fields[3], fields[17], fields[19]]
    .map(Number);
  if (!numbers.every(Number.isInteger)) return null;
  const [pid, ppid, pgid, sid, threads, start] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const state = fields[0]!;
  // A leader thread that ended while others run shows as Z too: such a process is alive.
  const dead = state === "X" || state === "x" || (state === "Z" && threads <= 1);
  return {
    pid,
    ppid,
    pgid,
    sid,
    uid,
    start,
    alive: !dead,
    name: stat.slice(open + 2, close),
    ...UNMARKED,
  };
}

/** Reads what {@linkcode MACOS_LOOK} printed. Throws `Error` when the look was cut short or saw nothing. */
export function parseMacosLook(text: string, names: LookedFor): Look {
  const parts = /^looker (\d+)\n([\s\S]*?)^environments\n([\s\S]*)^end\n$/m.exec(text);
  if (parts === null) throw new Error("The look was cut short");
  const rows = new Map<number, ProcessRow>();
  for (const line of parts[2]!.split("\n")) {
    const row = parsePsRow(line);
    if (row !== null) rows.set(row.pid, row);
  }
  const carried = createCarried(names);
  for (const line of parts[3]!.split("\n")) {
    const pid = Number(/^\s*(\d+) /.exec(line)?.[1]);
    for (const name of [names.marker, names.supervisor]) {
      const word = line.split(" ").find((part) => part.startsWith(`${name}=`));
      if (word !== undefined) carried.take(pid, word);
    }
  }
  return finishLook({ looker: Number(parts[1]), rows, carried });
}

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Reads one `ps` row of {@linkcode MACOS_LOOK}; `null` when it is not one. */
export function parsePsRow(line: string): ProcessRow | null {
  const match =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+\w{3}\s+(?:(\w{3})\s+(\d+)|(\d+)\s+(\w{3}))\s+(\d+):(\d+):(\d+)\s+(\d{4})\s+(.*)$/
      .exec(line);
  if (match === null) return null;
  const [pid, ppid, pgid, uid] = match.slice(1, 5).map(Number) as [number, number, number, number];
  const month = MONTHS.indexOf(match[6] ?? match[9]!) / 3;
  const day = Number(match[7] ?? match[8]);
  const [hour, minute, second, year] = match.slice(10, 14).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return {
    pid,
    ppid,
    pgid,
    sid: 0,
    uid,
    start: Date.UTC(year, month, day, hour, minute, second) / 1000,
    alive: !match[5]!.startsWith("Z"),
    name: match[14]!.slice(match[14]!.lastIndexOf("/") + 1),
    ...UNMARKED,
  };
}

interface Parts {
  readonly looker: number;
  readonly rows: ReadonlyMap<number, ProcessRow>;
  readonly carried: Carried;
}

function finishLook({ looker, rows, carried }: Parts): Look {
  const self = rows.get(looker);
  if (self === undefined) throw new Error("The look did not see the shell that looked");
  const marked = [...rows.values()].map((row) => {
    const tokens = carried.tokens.get(row.pid);
    const supervises = carried.supervised.get(row.pid);
    return tokens === undefined && supervises === undefined
      ? row
      : { ...row, tokens: tokens ?? [], supervises: supervises ?? null };
  });
  return { rows: marked, looker, uid: self.uid };
}
