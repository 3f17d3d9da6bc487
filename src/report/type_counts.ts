/**
 * How often each type of event came, and which of them are not known here.
 *
 * @module
 */
import { type JsonObject, stringMember } from "../base/json.ts";
import { MAX_REPORT_LIST } from "../base/limits.ts";
import { shortName } from "./names.ts";
import type { Count } from "./report.ts";

/** Counts names; beyond a bound of different ones the rest is one. */
export class TypeCounts {
  readonly #all = new Map<string, number>();
  readonly #unknown = new Map<string, number>();

  /** Events of known types. */
  known = 0;

  /** Counts an event. */
  add(name: string, isKnown: boolean): void {
    if (isKnown) this.known += 1;
    bump(this.#all, name);
    if (!isKnown) bump(this.#unknown, name);
  }

  /** All types, the most frequent first. */
  get all(): readonly Count[] {
    return sorted(this.#all);
  }

  /** Those that are not known. */
  get unknown(): readonly Count[] {
    return sorted(this.#unknown);
  }
}

const REST = "(other types)";

function bump(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MAX_REPORT_LIST ? name : REST;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): readonly Count[] {
  return [...counts].map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** What an event is called: its type, with the subtype of `system` and the step of `stream_event`. */
export function typeName(frame: JsonObject): string {
  const type = stringMember(frame, "type") ?? "(no type)";
  const more = type === "system"
    ? stringMember(frame, "subtype")
    : type === "stream_event"
    ? stringMember(frame.event, "type")
    : null;
  return shortName(more === null ? type : `${type}/${more}`);
}
