/**
 * The conversation of a report, piece by piece. Chunks let a browser lay out only what is in view.
 *
 * @module
 */
import { type Html, markup, raw } from "./html.ts";
import { textBlock } from "./page_parts.ts";
import type { Entry, NoticeEntry, Report, SpeechEntry, ToolEntry, TurnEntry } from "./report.ts";
import { elapsed, type Mark } from "./run_clock.ts";
import { durationText, plural } from "./wording.ts";

/** Entries of one chunk. */
const CHUNK = 40;

/** Writes all entries. */
export function* conversation({ entries, time }: Report): Iterable<Html> {
  yield* list(entries, time?.from ?? null);
}

function* list(entries: readonly Entry[], from: number | null): Iterable<Html> {
  for (let i = 0; i < entries.length; i += CHUNK) {
    yield raw(`<ol class="chunk"${i === 0 ? "" : ` start="${i + 1}"`}>`);
    for (const entry of entries.slice(i, i + CHUNK)) {
      if (entry.kind === "tool") yield* tool(entry, from);
      else yield plain(entry, from);
    }
    yield raw("</ol>\n");
  }
}

const SPEAKERS = { text: "Claude", thinking: "Thinking", user: "Prompt" } as const;

function plain(entry: SpeechEntry | NoticeEntry | TurnEntry, from: number | null): Html {
  const time = at(entry.at, from);
  if (entry.kind === "turn") return turn(entry, time);
  const text = entry.text === null ? null : textBlock(entry.text, "prose");
  if (entry.kind === "notice") {
    const head = markup`<span class="who"><bdi>${entry.title}</bdi></span>${time}`;
    return item(`notice ${entry.tone}`, entry.id, markup`<p class="head">${head}</p>${text}`);
  }
  const stopped = entry.interrupted ? markup`<span class="pill warn">interrupted</span>` : null;
  const head = markup`<span class="who">${SPEAKERS[entry.kind]}</span>${time}${stopped}`;
  return item(entry.kind, entry.id, markup`<p class="head">${head}</p>${text}`);
}

function item(kind: string, id: number, content: Html): Html {
  return markup`<li class="entry ${kind}" id="e${id}">${content}</li>\n`;
}

function turn(entry: TurnEntry, time: Html | null): Html {
  const what = entry.isFollowUp ? "Turn that a finished task began" : "Turn";
  const facts = [
    entry.durationMs === null ? null : durationText(entry.durationMs),
    entry.turns === null ? null : plural(entry.turns, "model turn"),
  ].filter((fact) => fact !== null).join(", ");
  // A turn that went well ends with what was just said: only a failure needs its words.
  const text = entry.isError && entry.text !== null ? textBlock(entry.text, "prose") : null;
  const pill = entry.isError ? markup`<span class="pill bad">error</span>` : null;
  const who = markup`<span class="who">${what} ended: <bdi>${entry.subtype}</bdi></span>`;
  const head = markup`<p class="head">${who}${pill}<span>${facts}</span>${time}</p>`;
  return item("turn", entry.id, markup`${head}${text}`);
}

const STATUS = {
  ok: null,
  error: markup`<span class="pill bad">failed</span>`,
  denied: markup`<span class="pill bad">denied</span>`,
  open: markup`<span class="pill warn">no result</span>`,
};

function* tool(entry: ToolEntry, from: number | null): Iterable<Html> {
  const { children, task } = entry;
  const took = entry.end === null || from === null
    ? null
    : markup`<span class="at">took ${
      durationText(elapsed(entry.end, from) - elapsed(entry.at, from))
    }</span>`;
  const isAgent = children.length > 0;
  const background = task === null
    ? null
    : markup`<span class="pill">in the background: ${task}</span>`;
  const kind = `tool ${entry.status}${isAgent ? " is-agent" : ""}`;
  yield markup`<li class="entry ${kind}" id="e${entry.id}"><details><summary class="call">`;
  yield markup`<span class="name">${entry.name}</span> <span class="about"><bdi>${entry.about}</bdi></span>`;
  const meta = markup`${STATUS[entry.status]}${background}${at(entry.at, from)}${took}`;
  yield markup`<span class="meta">${meta}</span></summary><div class="inside">`;
  if (entry.input.text !== "") {
    yield markup`<p class="label">Input</p>${textBlock(entry.input, "pre")}`;
  }
  if (isAgent) {
    yield markup`<p class="label">The sub-agent: ${
      plural(children.length, "entry", "entries")
    }</p>`;
    yield* list(children, from);
  }
  const result = entry.result === null
    ? markup`<p class="hint">There is none in these events.</p>`
    : entry.result.text === ""
    ? markup`<p class="hint">Empty.</p>`
    : textBlock(entry.result, "pre");
  yield markup`<p class="label">Result</p>${result}</div></details></li>\n`;
}

function at(mark: Mark, from: number | null): Html | null {
  if (from === null) return markup`<span class="at">event ${mark.step}</span>`;
  return markup`<span class="at">+${durationText(elapsed(mark, from))}</span>`;
}
