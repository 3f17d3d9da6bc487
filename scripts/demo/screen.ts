/** What the demo prints: compact lines, colour on a terminal only. */

type Colour = "bold" | "dim" | "green" | "red" | "cyan" | "yellow";

const CODES: Readonly<Record<Colour, number>> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
};

const encoder = new TextEncoder();

/** Where the demo prints. It also counts promises that were not kept. */
export class Screen {
  readonly #isColourful = Deno.stdout.isTerminal() && !Deno.noColor;
  #broken = 0;

  /** How many checks failed. */
  get broken(): number {
    return this.#broken;
  }

  /** A heading. */
  title(text: string): void {
    this.write(`\n${this.paint("bold", text)}\n`);
  }

  /** A labelled line. */
  line(label: string, text: string, colour: Colour = "dim"): void {
    this.begin(label, colour);
    this.write(`${text}\n`);
  }

  /** The label of a line whose text follows bit by bit. */
  begin(label: string, colour: Colour = "dim"): void {
    this.write(`  ${this.paint(colour, label.padEnd(8))} `);
  }

  /** Says that something is as promised, or that it is not. */
  check(isKept: boolean, text: string): void {
    if (!isKept) this.#broken++;
    const mark = isKept ? this.paint("green", "✓") : this.paint("red", "✗ not as promised:");
    this.write(`  ${mark} ${text}\n`);
  }

  /** Text in a colour. */
  paint(colour: Colour, text: string): string {
    return this.#isColourful ? `\x1b[${CODES[colour]}m${text}\x1b[0m` : text;
  }

  /** Text as it is. */
  write(text: string): void {
    const bytes = encoder.encode(text);
    for (let written = 0; written < bytes.length;) {
      written += Deno.stdout.writeSync(bytes.subarray(written));
    }
  }
}

/** One line of at most `limit` characters. */
export function shortened(text: string, limit: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  return line.length > limit ? `${line.slice(0, limit - 1)}…` : line;
}
