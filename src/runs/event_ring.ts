/**
 * The last events of a run, bounded by count and by bytes, read in pages.
 *
 * @module
 */
import type { JsonValue } from "../base/json.ts";
import { jsonBytes } from "../base/json.ts";
import { AdapterError } from "../base/errors.ts";
import { MAX_EVENT_BYTES, MAX_RETAINED_EVENT_BYTES, MAX_RETAINED_EVENTS } from "../base/limits.ts";
import type { PageInfo } from "./values.ts";

/** An event with its place in the stream. */
export interface NumberedEvent {
  /** 1-based: the first event of a run is 1. */
  readonly cursor: number;
  readonly event: JsonValue;
}

/** One page of a run's events. */
export interface RingPage extends PageInfo {
  readonly events: readonly NumberedEvent[];
}

/** Bounds of an {@linkcode EventRing}. */
export interface RingLimits {
  /** Default: 256. */
  readonly events: number;
  /** Default: 256 KiB. */
  readonly bytes: number;
  /** A larger event is kept as a marker. Default: half of `bytes`. */
  readonly eventBytes: number;
}

const DEFAULT_LIMITS: RingLimits = {
  events: MAX_RETAINED_EVENTS,
  bytes: MAX_RETAINED_EVENT_BYTES,
  eventBytes: MAX_EVENT_BYTES,
};

interface Slot extends NumberedEvent {
  readonly bytes: number;
}

/** A bounded buffer of numbered events; the oldest go first. */
export class EventRing {
  readonly #limits: RingLimits;
  readonly #slots: Slot[] = [];
  #head = 0; // index of the oldest slot; the array is compacted now and then, so dropping is O(1)
  #bytes = 0;
  #observed = 0;
  #omitted = 0;

  /** Makes an empty ring. */
  constructor(limits: RingLimits = DEFAULT_LIMITS) {
    this.#limits = limits;
  }

  /** Events seen so far, which is also the newest cursor. */
  get observed(): number {
    return this.#observed;
  }

  /** The newest event as it is kept, or `null` when there was none. */
  get newest(): NumberedEvent | null {
    const slot = this.#slots.at(-1);
    return slot === undefined ? null : { cursor: slot.cursor, event: slot.event };
  }

  /**
   * Adds an event of `bytes` (as it was on the wire). One past the event bound is kept as an
   * `event_byte_bound` marker with the hash of its text.
   */
  push(
    event: JsonValue,
    bytes: number,
    describe: () => { type: string | null; sha256: string },
  ): void {
    if (bytes <= this.#limits.eventBytes) {
      this.#keep(event, bytes);
      return;
    }
    this.pushOmitted({ omitted: true, reason: "event_byte_bound", ...describe(), bytes });
  }

  /** Adds a marker that stands for an event which is not kept. */
  pushOmitted(marker: { readonly [key: string]: JsonValue }): void {
    this.#omitted += 1;
    this.#keep(marker, jsonBytes(marker));
  }

  /**
   * The events after cursor `after`: at most `limit`, and at most `maxBytes` as JSON.
   *
   * Sizes are measured on what is sent: `1e20` is 4 bytes on the wire and 21 when written again.
   * When the first one alone is larger than `maxBytes`, a `page_byte_bound` marker stands for it, so that
   * reading always gets on. Throws `AdapterError` `invalid_cursor` when `after` is newer than the stream.
   */
  page(after: number, limit: number, maxBytes: number): RingPage {
    if (after > this.#observed) {
      throw new AdapterError(
        "invalid_cursor",
        `'after_cursor' is ${after}, but the newest event of this run is ${this.#observed}; use a cursor from an earlier page`,
      );
    }
    const oldest = this.#oldest();
    const from = Math.max(after + 1, oldest);
    const events: NumberedEvent[] = [];
    let bytes = 0;
    for (let cursor = from; cursor <= this.#observed && events.length < limit; cursor++) {
      const slot = this.#slots[this.#head + cursor - oldest]!;
      const size = jsonBytes(slot.event) + PAGE_ROW_BYTES;
      if (bytes + size > maxBytes) {
        if (events.length === 0) events.push({ cursor, event: pageMarker(slot) });
        break;
      }
      bytes += size;
      events.push({ cursor, event: slot.event });
    }
    const next = events.at(-1)?.cursor ?? Math.max(after, oldest - 1);
    return {
      events,
      next_cursor: next,
      oldest_cursor: oldest,
      has_more: next < this.#observed,
      missed_events: Math.max(0, from - after - 1),
      observed_events: this.#observed,
      omitted_events: this.#omitted,
    };
  }

  #oldest(): number {
    return this.#observed - (this.#slots.length - this.#head) + 1;
  }

  #keep(event: JsonValue, bytes: number): void {
    this.#observed += 1;
    this.#slots.push({ cursor: this.#observed, event, bytes });
    this.#bytes += bytes;
    while (
      this.#slots.length - this.#head > this.#limits.events || this.#bytes > this.#limits.bytes
    ) {
      this.#bytes -= this.#slots[this.#head]!.bytes;
      this.#head += 1;
    }
    if (this.#head >= this.#limits.events) {
      this.#slots.splice(0, this.#head);
      this.#head = 0;
    }
  }
}

/** What `{"cursor":N,"event":…},` adds to an event in a page. */
const PAGE_ROW_BYTES = 40;

function pageMarker(slot: Slot): JsonValue {
  const event = slot.event;
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : null;
  return {
    omitted: true,
    reason: "page_byte_bound",
    type: typeof type === "string" ? type : null,
    bytes: slot.bytes,
  };
}
