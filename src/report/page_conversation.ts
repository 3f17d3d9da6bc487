/**
 * The conversation of a report, piece by piece. Chunks let a browser lay out only what is in view.
 *
 * @module
 */
import { type Html, html, raw } from "./html.ts";
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
  if (entry.kind === "notice") {
    return html`
      <li class="entry notice ${entry.tone}"
        id="e${entry.id}"><p class="head"><span class="who"><bdi>${entry
          .title}</bdi></span>${time}</p>${entry.text === null
          ? null
          : textBlock(entry.text, "prose")}</li>
    `;
  }
  if (entry.kind === "turn") return turn(entry, time);
  const stopped = entry.interrupted ? html`<span class="pill warn">interrupted</span>` : null;
  return html`
    <li class="entry ${entry.kind}"
      id="e${entry
        .id}"><p class="head"><span class="who">${SPEAKERS[
          entry.kind
        ]}</span>${time}${stopped}</p>${textBlock(entry.text, "prose")}</li>
  `;
}

function turn(entry: TurnEntry, time: Html | null): Html {
  const what = entry.isFollowUp ? "Turn that a finished task began" : "Turn";
  const facts = [
    entry.durationMs === null ? null : durationText(entry.durationMs),
    entry.turns === null ? null : plural(entry.turns, "model turn"),
  ].filter((fact) => fact !== null).join(", ");
  // A turn that went well ends with what was just said: only a failure needs its words.
  const text = entry.isError && entry.text !== null ? textBlock(entry.text, "prose") : null;
  return html`
    <li class="entry turn"
      id="e${entry.id}"><p class="head"><span class="who">${what} ended: <bdi>${entry
        .subtype}</bdi></span>${entry.isError
        ? html`<span class="pill bad">error</span>`
        : null}<span>${facts}</span>${time}</p>${text}</li>
  `;
}

const STATUS = {
  ok: null,
  error: html`<span class="pill bad">failed</span>`,
  denied: html`<span class="pill bad">denied</span>`,
  open: html`<span class="pill warn">no result</span>`,
};

function* tool(entry: ToolEntry, from: number | null): Iterable<Html> {
  const { children, task } = entry;
  const took = entry.end === null || from === null
    ? null
    : html`<span class="at">${
      durationText(elapsed(entry.end, from) - elapsed(entry.at, from))
    }</span>`;
  const isAgent = children.length > 0;
  yield html`
    <li class="entry tool ${entry.status}${isAgent ? " is-agent" : ""}" id="e${entry.id}">
      <details>
        <summary
          class="call"><span class="name">${entry.name}</span><span class="about"><bdi>${entry
            .about}</bdi></span>${STATUS[entry.status]}${task === null
            ? null
            : html`<span class="pill">in the background: ${task}</span>`}${took}</summary>
        <div class="inside"><p class="head">${at(entry.at, from)}</p>${entry.input.text === ""
          ? null
          : html`<p class="label">Input</p>${textBlock(entry.input, "pre")}`}
  `;
  if (isAgent) {
    yield html`<p class="label">The sub-agent: ${plural(children.length, "entry", "entries")}</p>`;
    yield* list(children, from);
  }
  yield html`<p class="label">Result</p>${
    entry.result === null
      ? html`<p class="hint">There is none in these events.</p>`
      : entry.result.text === ""
      ? html`<p class="hint">Empty.</p>`
      : textBlock(entry.result, "pre")
  }</div></details></li>`;
}

function at(mark: Mark, from: number | null): Html | null {
  if (from === null) return html`<span class="at">event ${mark.step}</span>`;
  return html`<span class="at">+${durationText(elapsed(mark, from))}</span>`;
}
