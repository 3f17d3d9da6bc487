/**
 * Numbers for reading. The same for everyone: no locale, no time zone but UTC.
 *
 * @module
 */

/** A duration: `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  if (ms < 1) return "0 s";
  if (ms < 995) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return withRest(minutes, "min", seconds % 60, "s");
  return withRest(Math.floor(minutes / 60), "h", minutes % 60, "min");
}

function withRest(whole: number, unit: string, rest: number, small: string): string {
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${small}`;
}

/** A whole number with narrow spaces between thousands. */
export function countText(count: number): string {
  return Math.round(count).toString().replace(/\B(?=(?:\d{3})+$)/g, "\u202f");
}

/** A count of tokens, short: `950`, `12.3k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(Math.round(count));
  if (count < 999_500) return `${trimmed(count / 1_000)}k`;
  return `${trimmed(count / 1_000_000)}M`;
}

function trimmed(value: number): string {
  return value < 99.5 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}

/** US dollars, with as many decimals as the amount needs. */
export function dollarText(usd: number): string {
  if (usd === 0) return "$0";
  return `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** Bytes or characters in binary units. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${trimmed(bytes / 1024)} KiB`;
  return `${trimmed(bytes / 1024 / 1024)} MiB`;
}

/** Unix milliseconds as `2026-11-30 22:12:07 UTC`. */
export function utcText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** `1 retry`, `2 retries`. */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
