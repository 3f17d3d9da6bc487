/**
 * How many columns of a terminal text takes. Pure.
 *
 * Terminals disagree about a few emoji and about characters that are wide only in some fonts; what is shown here never
 * depends on more than where a row ends.
 *
 * @module
 */

/** ASCII that can be seen, and the space: a column each. */
const PLAIN = /^[\x20-\x7e]*$/;
/** Nothing of their own: combining marks, joiners, variation selectors, the vowels and finals of Hangul. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\u200b-\u200d\u1160-\u11ff\ufe00-\ufe0f\u{e0100}-\u{e01ef}]$/u;
/** East Asian wide and full-width characters, and what is drawn as a picture. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{17000}-\u{18dff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/** The characters of `text` as a person sees them. */
export function clustersOf(text: string): readonly string[] {
  return PLAIN.test(text) ? [...text] : Array.from(segmenter.segment(text), (one) => one.segment);
}

/** The columns of one cluster: 0, 1, 2, or more for scripts that set several signs beside each other. */
export function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && PLAIN.test(cluster)) return 1;
  let width = 0;
  let isPicture = cluster.includes("\ufe0f");
  for (const char of cluster) {
    const own = NO_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1;
    width += own;
    isPicture ||= own === 2 && char.codePointAt(0)! >= 0x1f000;
  }
  // A picture joined of several, or made of two letters of a flag, is as wide as one.
  return isPicture ? 2 : width;
}

/** The columns of text without controls. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const cluster of clustersOf(text)) width += clusterWidth(cluster);
  return width;
}

/** `text` in at most `columns` columns, its cut marked with `…`; empty when there is no room for anything. */
export function cutToWidth(text: string, columns: number): string {
  if (columns <= 0) return "";
  // Not more than can be of interest: a cluster takes a column, or belongs to one that does.
  const start = text.length > 16 * columns + 64 ? text.slice(0, 16 * columns + 64) : text;
  if (start.length === text.length && widthOf(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const cluster of clustersOf(start)) {
    const own = clusterWidth(cluster);
    if (width + own > columns - 1) break;
    kept += cluster;
    width += own;
  }
  return `${kept.trimEnd()}…`;
}
