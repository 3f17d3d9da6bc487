/**
 * The timeline of a report.
 *
 * @module
 */
import { type Html, markup, raw } from "./html.ts";
import type { SpanKind } from "./report.ts";
import type { Row, Timeline } from "./timeline.ts";
import { durationText, plural, shortCount } from "./wording.ts";

const KINDS: { readonly [kind in SpanKind]: string } = {
  model: "Model",
  agent: "Sub-agent",
  tool: "Tool",
  task: "Background task",
  retry: "Retry",
  idle: "Nothing running",
};

/** The chart: a list of rows, each a link to its part of the conversation. */
export function timelineChart(timeline: Timeline): Html {
  const { rows, scale, length } = timeline;
  if (rows.length === 0) {
    return markup`<p class="hint">Neither a model call nor a tool is in these events.</p>`;
  }
  const marks = scale === "time"
    ? [0, 0.25, 0.5, 0.75, 1].map((share) => durationText(length * share))
    : ["event 1", `event ${length}`];
  const ticks = marks.map((mark) => markup`<span>${mark}</span>`);
  const shown = new Set(rows.map((row) => row.kind));
  const legend = (Object.keys(KINDS) as SpanKind[]).filter((kind) => shown.has(kind)).map((kind) =>
    markup`<li class="k-${kind}"><span class="dot"></span>${KINDS[kind]}</li>`
  );
  const grouped = rows.some(({ count }) => count > 1)
    ? " There are more steps than rows, so neighbours share one; each is in the conversation."
    : "";
  const hint = scale === "time"
    ? "Times are those in the events; a model call begins when its input was complete."
    : "These events have no times: steps are placed by their order, not by how long they took.";
  return markup`<p class="hint">${hint}${grouped}</p>
<div class="axis-row" aria-hidden="true"><span></span><div class="axis">${ticks}</div><span></span></div>
<ol class="rows">${rows.map((row) => rowItem(row))}</ol>
<ul class="legend" aria-label="Colours">${legend}</ul>`;
}

function rowItem(row: Row): Html {
  const label = markup`<span class="dot"></span><bdi>${row.label}</bdi>${tokensOf(row)}`;
  const notes = [
    row.time === null ? null : durationText(row.time.took),
    row.isOpen ? "open" : null,
    row.fault,
  ].filter((note) => note !== null);
  const title = `${KINDS[row.kind]}${row.count > 1 ? `, ${plural(row.count, "step")}` : ""}`;
  const depth = row.depth === 0 ? "" : ` d${Math.min(5, row.depth)}`;
  const fault = row.fault === null ? "" : " failed";
  const what = row.entry === null ? label : markup`<a href="#e${row.entry}">${label}</a>`;
  return markup`<li class="row k-${row.kind}${depth}${fault}"><span class="what" title="${title}">${what}</span>${
    bars(row)
  }<span class="took">${notes.join(" · ")}</span></li>\n`;
}

function tokensOf({ tokens }: Row): Html | null {
  if (tokens === null) return null;
  const out = tokens.output === null ? "" : `, ${shortCount(tokens.output)} out`;
  return markup` <span class="use">${shortCount(tokens.input)} in${out}</span>`;
}

/** Widths are in thousandths; what is shorter is still seen. */
function bars({ bars }: Row): Html {
  const rects = bars.map(({ kind, from, to }) => {
    const width = Math.max(4, (to - from) * 1000);
    const x = Math.min(from * 1000, 1000 - width);
    return `<rect class="run k-${kind}" x="${x.toFixed(1)}" y="0" width="${
      width.toFixed(1)
    }" height="12"/>`;
  });
  return raw(
    `<svg class="bar" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">` +
      `<rect class="track" x="0" y="5.5" width="1000" height="1"/>${rects.join("")}</svg>`,
  );
}
