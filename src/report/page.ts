/**
 * A report as one HTML page: it loads nothing, runs nothing, and opens from a file.
 *
 * @module
 */
import { PROGRAM_NAME, VERSION } from "../base/version.ts";
import { type Html, markup, raw } from "./html.ts";
import { conversation } from "./page_conversation.ts";
import { factList, textBlock } from "./page_parts.ts";
import { STYLE } from "./page_style.ts";
import { denialList, receipt, spendingTable, stats, verdict } from "./page_summary.ts";
import { timelineChart } from "./page_timeline.ts";
import type { Count, Reading, Report } from "./report.ts";
import { makeTimeline } from "./timeline.ts";
import { countText, plural, sizeText, utcText } from "./wording.ts";

/** What a page may do: show its own style. No script, no request, no form, no base address. */
export const POLICY: string =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** How a page is called. */
export interface PageOptions {
  /** The heading, such as the name of the file. */
  readonly title: string;
}

/**
 * Writes the page piece by piece, so that it never is in memory as a whole. The same report gives the same page.
 */
export function* writePage(report: Report, { title }: PageOptions): Iterable<string> {
  const timeline = makeTimeline(report);
  const { ending, counts, denials, time, setup } = report;
  const sections: [string, string, () => Iterable<Html>][] = [];
  const add = (id: string, name: string, body: () => Iterable<Html>) =>
    sections.push([id, name, body]);

  const { answer, settled } = ending;
  if (answer !== null) {
    add("answer", "Answer", () => [markup`<div class="card">${textBlock(answer, "prose")}</div>`]);
  }
  add("timeline", "Timeline", () => [timelineChart(timeline)]);
  add("spending", "Tokens and cost", () => [spendingTable(report.spending)]);
  if (counts.denials > 0) {
    add("denials", "Denied tool calls", () => [denialList(denials, counts.denials)]);
  }
  if (settled !== null) add("cleanup", "Clean-up receipt", () => [receipt(settled)]);
  add("conversation", "Conversation", () => talk(report));
  add("about", "About this page", () => [about(report)]);

  const from = joined([
    time === null ? null : markup`${utcText(time.from)}`,
    setup.models.length === 0 ? null : markup`<bdi>${setup.models.join(", ")}</bdi>`,
  ]);
  const links = sections.map(([id, name]) => markup`<li><a href="#${id}">${name}</a></li>`);
  yield markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${PROGRAM_NAME} ${VERSION}">
<title>${title} · Claude Code run</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<a class="skip" href="#conversation">Skip to the conversation</a>
<div class="wrap">
<header>
<p class="over">Claude Code run</p>
<h1><bdi>${breakable(title)}</bdi></h1>
${verdict(report)}
<p class="hint from">${from}</p>
${stats(report, timeline)}
<nav aria-label="Parts of this page"><ul>${links}</ul></nav>
</header>
<main>
`.text;
  for (const [id, name, body] of sections) {
    yield markup`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>\n`.text;
    for (const piece of body()) yield piece.text;
    yield "</section>\n";
  }
  yield markup`</main><footer>Made by ${PROGRAM_NAME} ${VERSION}. This page is one file: it loads nothing and runs no script.</footer>
</div></body></html>\n`.text;
}

/** Parts with a point between them. */
function joined(parts: readonly (Html | null)[]): readonly Html[] {
  return parts.filter((part) => part !== null).map((part, i) =>
    i === 0 ? part : markup` · ${part}`
  );
}

/** A file name may be broken where its words end. */
function breakable(title: string): readonly Html[] {
  return title.split(/(?<=[_./-])(?=[^_./-])/).map((part, i) =>
    i === 0 ? markup`${part}` : markup`<wbr>${part}`
  );
}

const TALK_HINT =
  "Everything in the order of the events. Tool calls unfold to their input and result. " +
  "The prompt that began the run is not part of the events.";

function* talk(report: Report): Iterable<Html> {
  const { entries, reading } = report;
  if (entries.length === 0) {
    yield markup`<p class="hint">Nobody said or did anything in these events.</p>`;
    return;
  }
  yield markup`<p class="hint">${TALK_HINT}</p>\n`;
  yield* conversation(report);
  if (reading.entriesLeftOut > 0) {
    yield markup`<p class="cut">${
      plural(reading.entriesLeftOut, "entry", "entries")
    } more are not on this page: it is full.</p>`;
  }
}

function about({ setup, reading }: Report): Html {
  const servers = setup.mcpServers.map(({ name, status }) => `${name} (${status ?? "?"})`);
  return markup`${
    factList([
      ["Session", setup.sessionId],
      ["Claude Code", setup.version],
      ["Permission mode", setup.permissionMode],
      ["Folder", setup.folder],
      ["Tools", setup.tools === 0 ? null : countText(setup.tools)],
      ["MCP servers", servers.length === 0 ? null : servers.join(", ")],
      ["Read", `${plural(reading.events, "event")}, ${sizeText(reading.bytes)}`],
      ["Types of events", countList(reading.types)],
    ])
  }${faults(reading)}`;
}

function countList(counts: readonly Count[]): string | null {
  if (counts.length === 0) return null;
  return counts.map(({ name, count }) => `${name} ${countText(count)}`).join(", ");
}

function faults(reading: Reading): Html | null {
  const { malformed, firstMalformed, unknown } = reading;
  const lines: readonly (string | null)[] = [
    reading.isStopped ? "The file is longer than the bound; its end was not read." : null,
    reading.isTruncated ? "The last line is cut off, so its event is missing." : null,
    malformed === 0
      ? null
      : `${plural(malformed, "line is", "lines are")} no JSON object; the first: ${firstMalformed}`,
    reading.oversized === 0
      ? null
      : `${plural(reading.oversized, "event was", "events were")} too large to be kept.`,
    reading.missing === 0
      ? null
      : `${
        plural(reading.missing, "event is", "events are")
      } missing: the record keeps the last ones only.`,
    unknown.length === 0 ? null : `Types this program does not know: ${countList(unknown)}.`,
    reading.entriesLeftOut === 0
      ? null
      : `${plural(reading.entriesLeftOut, "entry found", "entries found")} no room on this page.`,
    reading.textLeftOut === 0
      ? null
      : `${sizeText(reading.textLeftOut)} of long texts are not on this page.`,
  ];
  const shown = lines.filter((line) => line !== null);
  if (shown.length === 0) return null;
  const items = shown.map((line) => markup`<li class="hint"><bdi>${line}</bdi></li>`);
  return markup`<h3 class="label">Not on this page, or not understood</h3><ul>${items}</ul>`;
}
