/** The drawing of a run, on a terminal that is played. */
import { assert, assertEquals } from "@std/assert";
import { VirtualTerminal } from "../../../scripts/support/virtual_terminal.ts";
import { widthOf } from "../../../src/cli/run/columns.ts";
import { layOut, type LinePiece, type Piece, plainLine } from "../../../src/cli/run/piece.ts";
import { Screen } from "../../../src/cli/run/screen.ts";
import { lineText } from "../../../src/cli/run/style.ts";
import { Random } from "../../helpers/random.ts";

const text = (value: string): Piece => ({ kind: "text", text: value });
const call: LinePiece = {
  kind: "line",
  line: "ok",
  depth: 1,
  head: "Bash",
  detail: "find . -name '*.ts' | xargs wc -l",
  tail: "1.5 s",
  reason: "",
};

/** A screen and the terminal that shows it. */
class Bench {
  readonly terminal: VirtualTerminal;
  readonly screen: Screen;

  constructor(columns: number, rows: number, isColoured = false) {
    this.terminal = new VirtualTerminal(columns, rows);
    this.screen = new Screen({ columns, rows }, { isColoured });
  }

  show(status: string | null, ...pieces: readonly Piece[]): this {
    for (const piece of pieces) this.screen.add(piece);
    this.terminal.write(this.screen.frame(status));
    return this;
  }

  resize(columns: number, rows: number): this {
    this.terminal.resize(columns, rows);
    this.screen.resize({ columns, rows });
    return this;
  }

  close(): string[] {
    this.terminal.write(this.screen.close());
    return this.terminal.lines();
  }
}

Deno.test("the status line is below the text, wherever that ends, and gone at the end", () => {
  const bench = new Bench(20, 5);
  bench.show("starting");
  assertEquals(bench.terminal.screen(), ["starting"]);
  bench.show("writing", text("Hello"));
  assertEquals(bench.terminal.screen(), ["Hello", "writing"]);
  assertEquals(bench.terminal.cursor, { row: 0, column: 5 });
  bench.show("writing", text(", world. This is longer than a row."));
  assertEquals(bench.terminal.screen(), [
    "Hello, world. This i",
    "s longer than a row.".slice(0, 19),
    "writing",
  ]);
  bench.show("running Bash", text("\n\n"), call);
  assertEquals(bench.terminal.screen().slice(-3), ["", "  ✓ Bash  1.5 s", "running Bash"]);
  assertEquals(bench.close(), [
    "Hello, world. This is longer than a row.",
    "",
    "  ✓ Bash  1.5 s",
    "",
  ]);
});

Deno.test("a status line alone is rewritten in its place, and not at all when it is the same", () => {
  const { screen } = new Bench(40, 10);
  screen.add(text("Some text"));
  screen.frame("1 s");
  assertEquals(screen.frame("1 s"), "");
  const again = screen.frame("2 s");
  assert(!again.includes("\x1b[J") && again.includes("2 s\x1b[K"), JSON.stringify(again));
});

Deno.test("a row that is exactly full does not lose its last character to the status line", () => {
  const bench = new Bench(16, 6);
  bench.show("status", text("0123456789abcdef"));
  bench.show("status", text("g"));
  bench.show("status", text("hijklmnopqrstu字"));
  bench.show("status", text("v\u0301"));
  assertEquals(bench.close(), ["0123456789abcdefghijklmnopqrstu字v\u0301", ""]);
});

Deno.test("tabs go to the next stop, and the cursor of a full screen stays in its text", () => {
  const bench = new Bench(40, 3);
  bench.show("s", text("a\tb\n1\n2\n3\n4\n5\nlast"));
  assertEquals(bench.terminal.screen(), ["5", "last", "s"]);
  bench.show("s", text(" words"));
  assertEquals(bench.terminal.screen(), ["5", "last words", "s"]);
  assertEquals(bench.close()[0], "a       b");
});

Deno.test("a terminal that is too small for a status line shows the text alone", () => {
  for (const [columns, rows] of [[1, 1], [2, 24], [15, 24], [80, 2]] as const) {
    const bench = new Bench(columns, rows).show("status", text("abc 字\n"), plainLine("note", "n"));
    assert(!bench.terminal.screen().join("").includes("s"), `${columns} × ${rows}`);
    bench.close();
  }
});

Deno.test("colours are there only when they are wanted, and none is left in force", () => {
  const coloured = new Bench(80, 24, true).show("status", text("text\n"), call);
  const styles = new Set(coloured.terminal.cells().flat().map(({ style }) => style));
  assertEquals(styles, new Set(["", "32", "1", "2"]));
  const plain = new Bench(80, 24).show("status", text("text\n"), call);
  assertEquals(new Set(plain.terminal.cells().flat().map(({ style }) => style)), new Set([""]));
});

const WORDS = [
  "a",
  "word",
  "漢字",
  "e\u0301",
  "👩‍👩‍👧",
  "\n",
  "\n\n",
  " ",
  "0123456789".repeat(5),
  "한국어",
  "🇦🇹",
];

for (let seed = 1; seed <= 60; seed++) {
  Deno.test(`whatever comes and however large the terminal is, the text is whole (seed ${seed})`, () => {
    const random = new Random(seed);
    let [columns, rows] = [random.int(16, 50), random.int(3, 12)];
    const bench = new Bench(columns, rows, random.chance(0.5));
    let expected = "";
    for (let step = 0; step < 60; step++) {
      const pieces: Piece[] = [];
      for (let i = random.int(0, 4); i > 0; i--) {
        const piece = random.chance(0.2) ? call : text(random.pick(WORDS));
        if (piece.kind === "line" && expected !== "" && !expected.endsWith("\n")) continue;
        pieces.push(piece);
        expected += piece.kind === "text"
          ? piece.text
          : `${lineText(layOut(piece, columns - 1), null)}\n`;
      }
      const status = random.chance(0.1) ? null : `status ${step}`;
      bench.show(status, ...pieces);
      const screen = bench.terminal.screen();
      const shown = screen.filter((row) => row.startsWith("status"));
      assertEquals(shown, status === null ? [] : [status], "one status line, the newest");
      if (status !== null) assertEquals(screen.findLast((row) => row !== ""), status, "below all");
      if (random.chance(0.1)) {
        [columns, rows] = [random.int(16, 50), random.int(3, 12)];
        bench.resize(columns, rows);
      }
    }
    const lines = expected.split("\n").map((line) => line.trimEnd());
    if (lines.at(-1) !== "") lines.push("");
    assertEquals(bench.close().join("\n").trimEnd(), lines.join("\n").trimEnd());
  });
}

Deno.test("a line about a tool fits its terminal, and keeps its outcome as long as it can", () => {
  const long = { ...call, detail: "漢".repeat(300), reason: "because ".repeat(50) };
  for (let columns = 2; columns <= 120; columns++) {
    const laid = layOut(long, columns);
    assert(widthOf(lineText(laid, null)) <= columns, `${columns}: ${lineText(laid, null)}`);
    if (columns >= 30) assert(laid.tail.startsWith("  1.5 s"), `${columns}`);
  }
});
