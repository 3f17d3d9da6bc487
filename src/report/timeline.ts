/**
 * The timeline: spans to rows of a chart, at most so many, and the gaps in which nothing ran.
 *
 * @module
 */
import { MAX_REPORT_ROWS } from "../base/limits.ts";
import type { CallTokens, Report, Span, SpanKind } from "./report.ts";
import { elapsed, type Mark } from "./run_clock.ts";

/** One row: a span, or several of one kind that follow each other. */
export interface Row {
  readonly kind: SpanKind;
  readonly label: string;
  readonly depth: number;
  /** How many spans it stands for. */
  readonly count: number;
  /** Bars, from 0 to 1 of the whole. */
  readonly bars: readonly Bar[];
  /** When it began and how long it took, milliseconds; of several from the first to the last. `null` without times. */
  readonly time: { readonly from: number; readonly took: number } | null;
  /** It had not ended when the events did. */
  readonly isOpen: boolean;
  readonly fault: Span["fault"];
  /** The entry to go to. */
  readonly entry: number | null;
  readonly tokens: CallTokens | null;
}

/** A bar of a row. */
export interface Bar {
  readonly kind: SpanKind;
  readonly from: number;
  readonly to: number;
}

/** The chart. */
export interface Timeline {
  /** `time`: positions are moments. `order`: the events have no times, so positions are their order. */
  readonly scale: "time" | "order";
  /** The length in milliseconds, or in events. */
  readonly length: number;
  readonly rows: readonly Row[];
  /** Time in which neither the model nor a tool was at work, milliseconds; `null` without times. */
  readonly idleMs: number | null;
}

interface Placed {
  readonly span: Span;
  readonly from: number;
  readonly to: number;
}

/** A gap is shown from a second on, and from a hundredth of the whole. */
const MIN_GAP_MS = 1_000;
const MIN_GAP_SHARE = 0.01;

/** Makes the chart of a report. */
export function makeTimeline(
  { spans, time, reading }: Pick<Report, "spans" | "time" | "reading">,
  maxRows: number = MAX_REPORT_ROWS,
): Timeline {
  const scale = time === null ? "order" : "time";
  const length = Math.max(1, time === null ? reading.events : time.to - time.from);
  const at = (mark: Mark) =>
    Math.min(length, time === null ? Math.max(0, mark.step - 1) : elapsed(mark, time.from));
  const placed: Placed[] = spans.map((span) => {
    const from = at(span.start);
    return { span, from, to: span.end === null ? length : Math.max(from, at(span.end)) };
  });
  const gaps = time === null ? [] : findGaps(placed, length);
  const all = nest([...placed, ...gaps].sort(byStart));
  return {
    scale,
    length,
    rows: toRows(all, { maxRows, length, isTimed: time !== null }),
    idleMs: time === null ? null : gaps.reduce((sum, { from, to }) => sum + to - from, 0),
  };
}

function byStart(a: Placed, b: Placed): number {
  return a.from - b.from || a.span.depth - b.span.depth || a.span.start.step - b.span.start.step;
}

/** What a sub-agent did stands behind the call that started it, and in the order of time there. */
function nest(sorted: readonly Placed[]): readonly Placed[] {
  const children = new Map<number | null, Placed[]>();
  for (const one of sorted) {
    const list = children.get(one.span.parent);
    if (list === undefined) children.set(one.span.parent, [one]);
    else list.push(one);
  }
  const nested: Placed[] = [];
  const todo = (children.get(null) ?? []).toReversed();
  for (let one = todo.pop(); one !== undefined; one = todo.pop()) {
    nested.push(one);
    if (one.span.kind !== "agent" || one.span.entry === null) continue;
    const inner = children.get(one.span.entry) ?? [];
    children.delete(one.span.entry); // an entry has one place, whatever names it
    for (const child of inner.toReversed()) todo.push(child);
  }
  return nested;
}

function findGaps(placed: readonly Placed[], length: number): Placed[] {
  const least = Math.max(MIN_GAP_MS, length * MIN_GAP_SHARE);
  const gaps: Placed[] = [];
  let busyUntil = 0;
  const add = (from: number, to: number) => {
    if (to - from < least) return;
    const mark: Mark = { ms: null, since: from, step: Infinity }; // after what begins there
    gaps.push({ span: { ...IDLE, start: mark }, from, to });
  };
  for (const { from, to } of placed.toSorted(byStart)) {
    add(busyUntil, from);
    busyUntil = Math.max(busyUntil, to);
  }
  add(busyUntil, length);
  return gaps;
}

const IDLE: Omit<Span, "start"> = {
  kind: "idle",
  label: "Nothing running",
  depth: 0,
  end: null,
  fault: null,
  entry: null,
  parent: null,
  tokens: null,
};

interface RowOptions {
  readonly maxRows: number;
  readonly length: number;
  readonly isTimed: boolean;
}

/** One row a span when there is room; else neighbours share rows, as few as needed. */
function toRows(placed: readonly Placed[], options: RowOptions): Row[] {
  const size = Math.ceil(placed.length / options.maxRows);
  if (size <= 1) return placed.map((one) => toRow([one], options));
  const rows: Row[] = [];
  for (let i = 0; i < placed.length; i += size) {
    rows.push(toRow(placed.slice(i, i + size), options));
  }
  return rows;
}

function toRow(group: readonly Placed[], { length, isTimed }: RowOptions): Row {
  const first = group[0]!;
  const { span } = first;
  const isOne = group.length === 1;
  const end = group.reduce((last, { to }) => Math.max(last, to), 0);
  return {
    kind: mostFrequent(group.map((one) => one.span.kind))[0]?.[0] ?? span.kind,
    label: isOne ? span.label : nameGroup(group),
    depth: Math.min(...group.map((one) => one.span.depth)),
    count: group.length,
    bars: joinBars(group, length),
    time: isTimed ? { from: first.from, took: end - first.from } : null,
    isOpen: isOne && span.end === null && span.kind !== "idle",
    fault: group.find((one) => one.span.fault !== null)?.span.fault ?? null,
    entry: group.find((one) => one.span.entry !== null)?.span.entry ?? null,
    tokens: isOne ? span.tokens : null,
  };
}

/** Bars of a kind that touch are one, at the resolution of a screen. What lasts is drawn below what passes. */
function joinBars(group: readonly Placed[], length: number): Bar[] {
  const bars: Bar[] = [];
  for (const kind of PAINTED) {
    let last: { kind: SpanKind; from: number; to: number } | null = null;
    for (const { span, ...place } of group) {
      if (span.kind !== kind) continue;
      const bar = { kind, from: place.from / length, to: place.to / length };
      if (last !== null && bar.from - last.to < 0.002) last.to = Math.max(last.to, bar.to);
      else bars.push(last = bar);
    }
  }
  return bars;
}

const PAINTED: readonly SpanKind[] = ["idle", "agent", "task", "model", "tool", "retry"];

/** Such as `12 × claude-opus-5-5, 11 × Bash`: the most frequent names of a group. */
function nameGroup(group: readonly Placed[]): string {
  const sorted = mostFrequent(group.map(({ span }) => span.label.split(" · ")[0] ?? ""));
  const shown = sorted.slice(0, 3).map(([name, count]) => `${count} × ${name}`);
  return shown.join(", ") + (sorted.length > 3 ? " and others" : "");
}

function mostFrequent<T>(values: readonly T[]): readonly (readonly [T, number])[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}
