/**
 * How a report looks: one style sheet, light and dark, for screens of any width and for paper.
 *
 * @module
 */

/** The style sheet. It loads nothing. */
export const STYLE: string = `
:root {
  color-scheme: light dark;
  --paper: #faf9f7; --card: #ffffff; --sunken: #f3f1ed; --ink: #1f1d1a; --soft: #625d55;
  --line: #e4e0d9; --strong-line: #cbc5bb;
  --accent: #a8492a; --link: #8f3d22;
  --model: #b9582f; --tool: #2f6f8f; --agent: #6a57a5; --task: #2f7d6b; --retry: #a87400; --idle: #b8b1a6;
  --good: #22704a; --good-bg: #e4f2ea; --bad: #a4262c; --bad-bg: #fbe9e8; --warn: #7d5700; --warn-bg: #fbf1d9;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #171614; --card: #1f1d1b; --sunken: #282522; --ink: #ebe7e0; --soft: #a8a196;
    --line: #35312c; --strong-line: #4b453e;
    --accent: #e58d68; --link: #eda283;
    --model: #df8058; --tool: #68aecf; --agent: #a795e0; --task: #62b8a2; --retry: #d9a83a; --idle: #5d564d;
    --good: #7fd0a4; --good-bg: #1d3427; --bad: #f3a09b; --bad-bg: #401f1f; --warn: #e8c06a; --warn-bg: #3a2f17;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 var(--sans); overflow-wrap: anywhere; }
.wrap { max-width: 62rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; z-index: 1; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1, h2, h3, p, dl, dd, ol, ul, pre, table { margin: 0; padding: 0; }
ol, ul { list-style: none; }
.over { font-size: .8125rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
h1 { font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; margin: .15rem 0 .75rem; }
h2 { font-size: 1.125rem; font-weight: 650; letter-spacing: -.005em; margin: 0 0 .25rem; }
h3 { font-size: .9375rem; font-weight: 650; }
main > section { margin-top: 2.75rem; }
main > section > h2 { margin-bottom: .6rem; } main > section > h2:has(+ .hint) { margin-bottom: .15rem; }
.hint { color: var(--soft); font-size: .875rem; }
section > .hint { margin-bottom: .9rem; }
.verdict { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: baseline; }
.pill { display: inline-block; padding: .1rem .65rem; border-radius: 99px; font-size: .875rem; font-weight: 600; background: var(--sunken); color: var(--soft); }
.pill.good { background: var(--good-bg); color: var(--good); }
.pill.bad { background: var(--bad-bg); color: var(--bad); }
.pill.warn { background: var(--warn-bg); color: var(--warn); }
.why { margin-top: .75rem; }
.from { margin-top: .6rem; }
.stats { display: grid; grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); margin-top: 1.75rem; border-block: 1px solid var(--line); }
.stats div { padding: .8rem 1rem .8rem 0; }
.stats dt { font-size: .8125rem; color: var(--soft); }
.stats dd { font-size: 1.25rem; font-weight: 600; letter-spacing: -.01em; font-variant-numeric: tabular-nums; line-height: 1.3; }
.stats small { display: block; font-size: .8125rem; font-weight: 400; color: var(--soft); letter-spacing: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 1rem; font-size: .9375rem; }
.prose { white-space: pre-wrap; unicode-bidi: plaintext; max-width: 46rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.15rem; }
pre, code { font: .8125rem/1.55 var(--mono); }
pre { white-space: pre-wrap; unicode-bidi: plaintext; background: var(--sunken); border-radius: 6px; padding: .6rem .8rem; overflow: clip; tab-size: 4; }
.prose + pre, pre + .prose, pre + pre, .prose + .prose { margin-top: .6rem; } .card pre { max-width: 46rem; }
.prose code { background: var(--sunken); border-radius: 4px; padding: .05rem .3rem; }
pre + .label, .prose + .label { margin-top: .75rem; }
.label { font-size: .75rem; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); margin: .5rem 0 .25rem; }
.notice .prose { font-size: .9375rem; }
.cut { font-size: .8125rem; color: var(--warn); margin-top: .3rem; }
bdi, .name { unicode-bidi: isolate; }

.axis { display: flex; justify-content: space-between; font-size: .75rem; color: var(--soft); font-variant-numeric: tabular-nums; border-bottom: 1px solid var(--line); padding-bottom: .25rem; margin-bottom: .35rem; }
.row, .axis-row { display: grid; grid-template-columns: minmax(0, 17rem) minmax(0, 1fr) 8rem; gap: 0 1rem; align-items: center; }
.row { min-height: 1.75rem; font-size: .875rem; border-radius: 4px; content-visibility: auto; contain-intrinsic-size: auto 1.75rem; }
.row:hover { background: var(--sunken); }
.row .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row a { color: inherit; text-decoration: none; }
.row a:hover { text-decoration: underline; }
.row .use { color: var(--soft); font-size: .8125rem; margin-left: .35rem; }
.row .took { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.d1 .what { padding-left: 1.1rem; } .d2 .what { padding-left: 2.2rem; } .d3 .what { padding-left: 3.3rem; } .d4 .what { padding-left: 4.4rem; } .d5 .what { padding-left: 5.5rem; }
.dot { display: inline-block; width: .6rem; height: .6rem; border-radius: 2px; background: var(--c); margin-right: .5rem; }
.k-model { --c: var(--model); } .k-tool { --c: var(--tool); } .k-agent { --c: var(--agent); } .k-task { --c: var(--task); } .k-retry { --c: var(--retry); } .k-idle { --c: var(--idle); }
svg.bar { display: block; width: 100%; height: .75rem; overflow: visible; }
svg.bar .track { fill: var(--line); } svg.bar .run { fill: var(--c); }
.k-idle .run { opacity: .55; }
.failed .took, .failed .what { color: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .8125rem; color: var(--soft); margin-top: .8rem; }

table { width: 100%; border-collapse: collapse; font-size: .9375rem; font-variant-numeric: tabular-nums; }
th, td { white-space: nowrap; text-align: right; padding: .45rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 500; color: var(--soft); font-size: .8125rem; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th[scope=row] { color: var(--ink); font-size: inherit; }
tfoot td, tfoot th { font-weight: 600; border-bottom: 0; color: var(--ink); font-size: .9375rem; }
.scroll { overflow-x: auto; }
.facts { display: grid; grid-template-columns: minmax(0, 11rem) minmax(0, 1fr); gap: .3rem 1rem; font-size: .9375rem; }
.facts dt { color: var(--soft); }

.chunk { content-visibility: auto; contain-intrinsic-size: auto 4000px; }
.entry { margin: 0 0 .9rem; padding-left: 1rem; border-left: 2px solid var(--line); overflow: clip; }
.entry:target { border-left-color: var(--accent); background: var(--sunken); }
.head { display: flex; gap: .6rem; align-items: baseline; font-size: .8125rem; color: var(--soft); }
.who { font-weight: 600; }
.text > .head .who { color: var(--accent); } .user > .head .who { color: var(--ink); } .thinking > .head .who { color: var(--soft); }
.at { font-variant-numeric: tabular-nums; white-space: nowrap; }
.text { border-left-color: var(--model); }
.thinking .prose { color: var(--soft); font-style: italic; }
.tool { border-left-color: var(--tool); }
.tool.is-agent { border-left-color: var(--agent); }
.tool.error, .tool.denied, .notice.bad { border-left-color: var(--bad); }
.notice.warn { border-left-color: var(--retry); }
.notice.warn .who { color: var(--warn); } .notice.bad .who { color: var(--bad); }
.turn { border-left-color: var(--strong-line); }
summary { cursor: pointer; border-radius: 4px; }
summary:hover { background: var(--sunken); }
.call { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; list-style: none; padding: .1rem 0; }
.call::-webkit-details-marker { display: none; }
.call::before { content: "›"; color: var(--soft); width: .6rem; }
details[open] > .call::before { content: "⌄"; }
.call .name { font-weight: 600; } .call .about { color: var(--soft); flex: 1 1 12rem; min-width: 0; }
.meta { display: flex; flex-wrap: wrap; gap: 0 .6rem; align-items: baseline; font-size: .8125rem; color: var(--soft); } .meta .pill { font-size: .75rem; }
details.more > summary { color: var(--link); font-size: .875rem; width: fit-content; }
.inside { margin: .6rem 0 .2rem 1.2rem; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem; }

@media (max-width: 44rem) {
  body { font-size: 15.5px; }
  .wrap { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.4rem; }
  .stats { grid-template-columns: repeat(3, minmax(0, 1fr)); padding-block: .4rem; } .stats div { padding-block: .4rem; } .stats dd { font-size: 1.0625rem; }
  .row, .axis-row { grid-template-columns: minmax(0, 1fr) auto; gap: .1rem .75rem; }
  .row { padding: .35rem 0; contain-intrinsic-size: auto 3rem; }
  .row svg { grid-row: 2; grid-column: 1 / -1; height: .5rem; }
  .axis-row > span { display: none; } .axis { grid-column: 1 / -1; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: .5rem; }
  .inside { margin-left: .2rem; } .meta { flex: 0 0 100%; padding-left: 1.2rem; } .call .about { flex-basis: 40%; } th, td { padding-inline: .3rem; }
  a, summary { touch-action: manipulation; } .call, nav a { min-height: 2rem; align-items: center; display: flex; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --card: #fff; --sunken: #f4f4f4; --ink: #000; --soft: #444; --line: #ccc; }
  body { font-size: 10.5pt; } .wrap { max-width: none; padding: 0; }
  nav, .skip { display: none; } .chunk, .row { content-visibility: visible; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .entry, .row { break-inside: avoid-page; } h2 { break-after: avoid; }
  svg.bar, .dot, .pill { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (forced-colors: active) { svg.bar .run { fill: CanvasText; } .pill { border: 1px solid; } }
`;
