/** Text that wants out of a page, and events full of it. */
import { isObject, type JsonObject, type JsonValue } from "../../src/base/json.ts";

/** Sets what a page's own scripts would set. Nothing of it may happen. */
const ATTACK = "window.hacked=1;document.title='hacked';alert(1)";

/** One payload of each kind. */
export const PAYLOADS: readonly string[] = [
  `<script>${ATTACK}</script>`,
  `</script></style></title></textarea><script>${ATTACK}</script>`,
  `<img src=x onerror="${ATTACK}">`,
  `"><svg/onload=${ATTACK}>`,
  `' onmouseover='${ATTACK}' autofocus onfocus='${ATTACK}`,
  `" onclick="${ATTACK}" style="position:fixed;inset:0" x="`,
  `<iframe srcdoc="<script>parent.${ATTACK}</script>"></iframe>`,
  `<a href="javascript:${ATTACK}">link</a> [link](javascript:${ATTACK})`,
  `<meta http-equiv=refresh content="0;url=https://example.com/">`,
  `<base href="https://example.com/"><link rel=stylesheet href=//example.com/x.css>`,
  `<style>*{display:none}</style><form action=https://example.com><button>ok</button></form>`,
  `--><!--[if IE]><script>${ATTACK}</script><![endif]--> ]]> &lt;script&gt; &#x3c;`,
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 \u009b2J",
  "\u202egnp.exe\u202c \u2066isolate\u2069 \u061c\u200f \u200bzero \ufeff \u{e0041}\u{e007f}",
  "\ud800 lone \udc00 \u0000 nul \r return \u2028 \u2029 \u0085",
  "H̷̛̗̖̥͓̗͙͔̲͌̌̓͊̽̎͌̕͠ͅȩ̸̢̛͔̩̺̫͚͎̻̤̤̃͐̋̄̔͂̑̊ combining".repeat(3),
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
  "x".repeat(3_000),
];

/** Members whose value decides what a frame is; without them nothing of a recording would be read. */
const STRUCTURE: ReadonlySet<string> = new Set(["type", "subtype", "role", "timestamp", "state"]);

/**
 * A frame with `payload` in every text, every name of a member that nobody looks for, and in place of every third
 * number. The same text becomes the same text, so that ids still match.
 */
export function poisoned(frame: JsonObject, payload: string): JsonObject {
  let numbers = 0;
  const walk = (value: JsonValue, key: string): JsonValue => {
    if (typeof value === "string") return STRUCTURE.has(key) ? value : `${value}${payload}`;
    if (typeof value === "number") return ++numbers % 3 === 0 ? payload : value;
    if (Array.isArray(value)) return value.map((one: JsonValue) => walk(one, key));
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, one]) => [name, walk(one, name)] as const);
    const isOpen = key === "input" || key === "modelUsage";
    return Object.fromEntries(
      members.map(([name, one]) => [isOpen ? `${name}${payload}` : name, one]),
    );
  };
  return walk(frame, "") as JsonObject;
}
