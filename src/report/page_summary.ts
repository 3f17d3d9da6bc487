/**
 * The top of a report: how it ended, its numbers, the answer; and further down what it cost and what was refused.
 *
 * @module
 */
import { type Html, markup } from "./html.ts";
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
    ? markup`<span class="pill good">Nothing left behind</span>`
    : markup`<span class="pill bad">Clean-up not confirmed</span>`;
  return markup`<p class="verdict"><strong class="pill ${
    TONES[ending.state]
  }">${ending.title}</strong>${cleanup}</p>${
    ending.message === null ? null : markup`<p class="why prose" dir="auto">${ending.message}</p>`
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
  const isCounted = spending.models.every(({ output }) => output !== null);
  const output = sum(spending, ({ output }) => output ?? 0);
  const idle = timeline.idleMs ?? 0;
  const rows: readonly (readonly [string, string, string | null])[] = [
    [
      "Duration",
      duration > 0 ? durationText(duration) : "unknown",
      idle > 0 ? `${durationText(idle)} idle` : null,
    ],
    ["Cost", spending.totalUsd === null ? "unknown" : dollarText(spending.totalUsd), null],
    ["Tokens", `${shortCount(input)} in`, isCounted ? `${shortCount(output)} out` : null],
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
  const cells = rows.map(([name, value, more]) => {
    const small = more === null ? null : markup` <small>${more}</small>`;
    return markup`<div><dt>${name}</dt><dd>${value}${small}</dd></div>`;
  });
  return markup`<dl class="stats">${cells}</dl>`;
}

function sum(spending: Spending, of: (use: Spending["models"][number]) => number): number {
  return spending.models.reduce((total, use) => total + of(use), 0);
}

/** The table of tokens and cost. */
export function spendingTable({ models, from, totalUsd }: Spending): Html {
  if (models.length === 0) {
    return markup`<p class="hint">These events say nothing about tokens.</p>`;
  }
  const cell = (value: number | null) =>
    markup`<td>${value === null ? "–" : shortCount(value)}</td>`;
  const cost = (value: number | null) =>
    markup`<td>${value === null ? "–" : dollarText(value)}</td>`;
  const rows = models.map((use) => {
    const counts = [use.input, use.output, use.cacheRead, use.cacheWrite].map(cell);
    return markup`<tr><th scope="row"><bdi>${use.model}</bdi></th>${
      cost(use.costUsd)
    }${counts}</tr>`;
  });
  const hint = from === "result"
    ? "As Claude Code adds it up: totals of the whole session, so of a resumed one also what came before."
    : "Added up from the model calls in these events; there is no result with totals.";
  const total = totalUsd === null
    ? null
    : markup`<tfoot><tr><th scope="row">Total</th>${
      cost(totalUsd)
    }<td colspan="4"></td></tr></tfoot>`;
  const heads = ["Model", "Cost", "Input", "Output", "Cache read", "Cache write"].map((name) =>
    markup`<th scope="col">${name}</th>`
  );
  return markup`<p class="hint">${hint}</p>
<div class="scroll" tabindex="0" role="region" aria-label="Tokens and cost by model">
<table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody>${total}</table></div>`;
}

/** The refused tool calls. */
export function denialList(denials: readonly Denial[], count: number): Html {
  const rows = denials.map(({ tool, reason, detail, entry }) => {
    const by = reason === null ? null : markup`<span>by ${reason}</span>`;
    const link = entry === null ? null : markup`<a href="#e${entry}">to the call</a>`;
    const head = markup`<span class="who"><bdi>${tool}</bdi></span>${by}${link}`;
    const text = detail === null ? null : textBlock(detail, "prose");
    return markup`<li class="entry notice bad"><p class="head">${head}</p>${text}</li>`;
  });
  const more = count - denials.length;
  return markup`<ol>${rows}</ol>${
    more > 0 ? markup`<p class="hint">${plural(more, "more is", "more are")} not listed.</p>` : null
  }`;
}

/** What clean-up found and did. */
export function receipt(settled: SettledFacts): Html {
  const { cleanup } = settled;
  const left = cleanup?.survivors.map(({ pid, name }) => `${name} (${pid})`).join(", ") ?? "";
  return markup`${
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
      : markup`<p class="label">End of standard error</p>${textBlock(settled.stderrTail, "pre")}`
  }`;
}
