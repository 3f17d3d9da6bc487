/**
 * The terminal that standard output is, if it is one.
 *
 * @module
 */
import { DEFAULT_SIZE, type ScreenSize } from "./screen.ts";

/** A terminal that can move its cursor. */
export interface Terminal {
  /** Its size at the moment. */
  readonly size: () => ScreenSize;
  readonly isColoured: boolean;
}

/** The terminal, or `null`: a pipe, a file, or a terminal that says of itself that it can do nothing. */
export function terminalOf(): Terminal | null {
  const term = Deno.env.get("TERM") ?? "";
  if (!Deno.stdout.isTerminal() || term === "" || term === "dumb") return null;
  return { size, isColoured: (Deno.env.get("NO_COLOR") ?? "") === "" };
}

function size(): ScreenSize {
  try {
    const { columns, rows } = Deno.consoleSize();
    // A pseudo-terminal that nobody gave a size has none.
    return columns > 0 && rows > 0 ? { columns, rows } : DEFAULT_SIZE;
  } catch {
    return DEFAULT_SIZE; // it is gone
  }
}
