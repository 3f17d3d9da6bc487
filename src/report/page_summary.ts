/**
 * The top of a report: how it ended, its numbers, the answer; and further down what it cost and what was refused.
 *
 * @module
 */
import { type Html, html } from "./html.ts";
import { factList, textBlock } from "./page_parts.ts";
import type { Denial, Report, SettledFacts, Spending } from "./report.ts";
import type { Timeline } from "./timeline.ts";
import { countText, dollarText, durationText, plural, shortCount } from "./wording.ts";

const TONES = { succeeded: "good", failed: "bad", cancelled: "warn", unknown: "warn" } as const;

/** The verdict. */
export function verdict({ ending }: Report): Html {
  const { settled } = ending;
  const cleanup = settled === null
    ? null
    : settled.cleanupConfirmed
    ? html`<span class="pill good">Nothing left behind</span>`
    : html`<span class="pill bad">Clean-up not confirmed</span>`;
  return html`<p class="verdict"><strong class="pill ${
    TONES[ending.state]
  }">${ending.title}</strong>${cleanup}</p>${
    ending.message === null ? null : html`<p class="why prose" dir="auto">${ending.message}</p>`
  }`;
}

/** The numbers. */
export function stats(report: Report, timeline: Timeline): Html {
  const { counts, spending, time, turnsMs } = report;
  const span = time === null ? 0 : time.to - time.from;
  const duration = Math.max(span, turnsMs ?? 0);
  const input = sum(
    spending,
    ({ input, cacheRead, cacheWrite }) => (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0),
  );
  const output = sum(spending, ({ output }) => output ?? 0);
  const idle = timeline.idleMs ?? 0;
  const rows: readonly (readonly [string, string, string | null])[] = [
    [
      "Duration",
      duration > 0 ? durationText(duration) : "unknown",
      idle > 0 ? `${durationText(idle)} idle` : null,
    ],
    ["Cost", spending.totalUsd === null ? "unknown" : dollarText(spending.totalUsd), null],
    ["Tokens", `${shortCount(input)} in`, `${shortCount(output)} out`],
    [
      "Model calls",
      countText(counts.modelCalls),
      counts.retries === 0 ? null : plural(counts.retries, "retry", "retries"),
    ],
    [
      "Tool calls",
      countText(counts.toolCalls),
      counts.failedTools === 0 ? null : `${countText(counts.failedTools)} failed`,
    ],
    ["Denied", countText(counts.denials), null],
    ...(counts.agents === 0 ? [] : [["Sub-agents", countText(counts.agents), null] as const]),
  ];
  return html`<dl class="stats">${
    rows.map(([name, value, more]) =>
      html`
        <div>
          <dt>${name}</dt>
          <dd>${value}${more === null ? null : html`
            <small>${more}</small>
          `}</dd>
        </div>
      `
    )
  }</dl>`;
}

function sum(spending: Spending, of: (use: Spending["models"][number]) => number): number {
  return spending.models.reduce((total, use) => total + of(use), 0);
}

/** The table of tokens and cost. */
export function spendingTable({ models, from, totalUsd }: Spending): Html {
  if (models.length === 0) return html`<p class="hint">These events say nothing about tokens.</p>`;
  const cell = (value: number | null) => html`<td>${value === null ? "–" : shortCount(value)}</td>`;
  const cost = (value: number | null) => html`<td>${value === null ? "–" : dollarText(value)}</td>`;
  const rows = models.map((use) =>
    html`<tr><th scope="row"><bdi>${use.model}</bdi></th>${cell(use.input)}${cell(use.cacheRead)}${
      cell(use.cacheWrite)
    }${cell(use.output)}${cost(use.costUsd)}</tr>`
  );
  const hint = from === "result"
    ? "As Claude Code adds it up: totals of the whole session, so of a resumed one also what came before."
    : "Added up from the model calls in these events; there is no result with totals.";
  return html`
    <p class="hint">${hint}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Tokens and cost by model">
      <table>
    <thead><tr><th scope="col">Model</th><th scope="col">Input</th><th scope="col">Cache read</th><th scope="col">Cache write</th><th scope="col">Output</th><th scope="col">Cost</th></tr></thead>
    <tbody>${rows}</tbody>${totalUsd === null ? null : html`
      <tfoot>
        <tr><th scope="row">Total</th><td colspan="4"></td>${cost(totalUsd)}</tr>
      </tfoot>
    `}</table>
    </div>
  `;
}

/** The refused tool calls. */
export function denialList(denials: readonly Denial[], count: number): Html {
  const rows = denials.map(({ tool, reason, detail, entry }) =>
    html`
      <li
        class="entry notice bad"><p class="head"><span class="who"><bdi>${tool}</bdi></span>${reason ===
            null
          ? null
          : html`<span>by ${reason}</span>`}${entry === null
          ? null
          : html`<a href="#e${entry}">to the call</a>`}</p>${detail === null
          ? null
          : textBlock(detail, "prose")}</li>
    `
  );
  const more = count - denials.length;
  return html`<ol>${rows}</ol>${
    more > 0 ? html`<p class="hint">${plural(more, "more is", "more are")} not listed.</p>` : null
  }`;
}

/** What clean-up found and did. */
export function receipt(settled: SettledFacts): Html {
  const { cleanup } = settled;
  const left = cleanup?.survivors.map(({ pid, name }) => `${name} (${pid})`).join(", ") ?? "";
  return html`${
    factList([
      ["Clean-up", settled.cleanupConfirmed ? "confirmed" : "not confirmed"],
      ["Why not", settled.cleanupError],
      ["Retired processes", cleanup === null ? null : countText(cleanup.retired)],
      ["SIGKILL needed", cleanup === null ? null : cleanup.escalated ? "yes" : "no"],
      ["Still there", left === "" ? null : left],
      ["Background tasks", `${settled.tasksOpen} open at the end, ${settled.tasksStopped} stopped`],
      ["Exit code", settled.exitCode === null ? null : String(settled.exitCode)],
      ["Signal", settled.signal],
      ["Executable", settled.executable],
      ["Admitted by", settled.admittedBy],
      ["Run", settled.runId],
    ])
  }${
    settled.stderrTail === null
      ? null
      : html`<p class="label">End of standard error</p>${textBlock(settled.stderrTail, "pre")}`
  }`;
}
