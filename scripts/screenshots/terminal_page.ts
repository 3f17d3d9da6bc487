/**
 * The screen of a terminal as one HTML page, from which a browser takes the pictures of the documents. Pure.
 *
 * @module
 */
import type { Cell, VirtualTerminal } from "../support/virtual_terminal.ts";

/** The attributes that `run` uses, as CSS. */
const STYLES: { readonly [attribute: string]: string } = {
  "1": "font-weight:bold",
  "2": "opacity:.6",
  "31": "color:#ff7b72",
  "32": "color:#56d364",
  "33": "color:#e3b341",
  "34": "color:#79c0ff",
  "36": "color:#76e3ea",
};

/** The page: `title` in the frame of a window, the command that was typed, and what the terminal shows. */
export function terminalPage(
  terminal: VirtualTerminal,
  { title, command }: { readonly title: string; readonly command: string },
): string {
  const rows = terminal.cells().map((row) => row.map(cellHtml).join("")).join("\n").trimEnd();
  return `<!doctype html><meta charset="utf-8"><title>${escaped(title)}</title><style>
body{margin:0;padding:24px;background:#30363d;font:15px/1.45 monospace;width:max-content}
figure{margin:0;border-radius:10px;overflow:hidden;background:#0d1117;color:#e6edf3}
figcaption{background:#161b22;color:#8b949e;padding:8px 16px;text-align:center}
pre{margin:0;padding:14px 18px;min-width:${terminal.columns}ch;font:inherit}
</style><figure><figcaption>${escaped(title)}</figcaption><pre>$ ${escaped(command)}
${rows}</pre></figure>
`;
}

function cellHtml({ text, style }: Cell): string {
  const css = style.split(";").map((one) => STYLES[one] ?? "").filter((one) => one !== "").join(
    ";",
  );
  return css === "" ? escaped(text) : `<span style="${css}">${escaped(text)}</span>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
