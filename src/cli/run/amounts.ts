/**
 * Times, numbers and money as a person reads them. Pure.
 *
 * @module
 */

/** Milliseconds, such as `0.4 s`, `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 120) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Whole seconds, for what is redrawn each second. */
export function ticking(ms: number): string {
  return duration(Math.max(0, Math.floor(ms / 1000)) * 1000).replace(".0 s", " s");
}

/** A count, such as `950`, `1.2k`, `34k`, `1.5M`. */
export function short(count: number): string {
  if (count < 1000) return String(count);
  const [value, unit] = count < 999_500
    ? [count / 1000, "k"] as const
    : [count / 1e6, "M"] as const;
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** US dollars: four digits below one dollar, since most runs cost less. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

/** `1 tool call`, `2 tool calls`. */
export function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
