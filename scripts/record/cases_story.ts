/** One longer run with a bit of everything, for pictures and for whoever wants to see what a run looks like. */

import { answer, delay, failure, text, thinking, toolUse } from "../../src/loopback/mod.ts";
import type { Case } from "./case.ts";

const PARSER = `export function parsePrice(text) {
  const [whole, cents = "00"] = text.split(",");
  return Number(whole) * 100 + Number(cents);
}
`;
const TEST = `import { parsePrice } from "./price.mjs";
const got = parsePrice("1.250,5");
if (got !== 125050) {
  console.log("FAIL parsePrice(\\"1.250,5\\"): expected 125050, got " + got);
  process.exit(1);
}
console.log("ok 1 test");
`;

const use = (input: number, output: number) => ({ usage: { input, output } });

/** The case. */
export const STORY_CASES: readonly Case[] = [
  {
    name: "story",
    note:
      "a failing test is fixed: thinking, parallel reads, a sub-agent, a retry, a denial, an edit",
    prompt: "The price test fails. Find out why and fix it.",
    mode: "acceptEdits",
    args: ["--allowedTools=Bash(sh:*),Bash(grep:*),Read,Edit"],
    files: {
      "price.mjs": PARSER,
      "price.test.mjs": TEST,
      "check.sh": "sleep 1.2; node price.test.mjs\n",
      "README.md": "# Shop\n\nPrices come from the till as German text, such as 1.250,50.\n",
    },
    script: () => [
      answer([
        delay(900),
        thinking(
          "The test fails, so I run it first and read what it says before I touch anything.",
        ),
        delay(500),
        text("I run the test first, and look at both files."),
        toolUse("Bash", { command: "sh check.sh", description: "Run the price test" }),
        toolUse("Read", { file_path: "price.mjs" }),
        toolUse("Read", { file_path: "price.test.mjs" }),
      ], use(18_400, 212)),
      failure(529),
      answer([
        delay(1_300),
        text(
          "Thousands are separated by points there. I let a sub-agent find out where prices come from.",
        ),
        toolUse("Agent", {
          description: "Find where prices come from",
          prompt:
            "Which formats of prices occur in this project? Look at the documents and the code.",
          subagent_type: "general-purpose",
          run_in_background: false,
        }),
      ], use(19_900, 164)),
      answer([
        delay(700),
        toolUse("Bash", {
          command: "grep -rn Prices . --include=*.md",
          description: "Look in the documents",
        }),
      ], use(6_100, 71)),
      answer([delay(600), toolUse("Read", { file_path: "README.md" })], use(6_300, 48)),
      answer([
        delay(800),
        text(
          "Prices are German text: points between thousands, a comma before the cents, as in 1.250,50.",
        ),
      ], use(6_500, 83)),
      answer([
        delay(600),
        text("I check how the till writes a single digit of cents."),
        toolUse("WebFetch", { url: "https://example.com/till", prompt: "How are cents written?" }),
      ], use(21_000, 97)),
      answer([
        delay(1_100),
        text("That is not allowed here, so I go by the test: one digit of cents means tens."),
        toolUse("Edit", {
          file_path: "price.mjs",
          old_string: 'const [whole, cents = "00"] = text.split(",");',
          new_string: 'const [whole, cents = "00"] = text.replaceAll(".", "").split(",");',
        }),
      ], use(22_300, 240)),
      answer([
        delay(400),
        toolUse("Bash", { command: "sh check.sh", description: "Run the price test" }),
      ], use(22_700, 60)),
      answer([
        delay(700),
        toolUse("Edit", {
          file_path: "price.mjs",
          old_string: "Number(cents);",
          new_string: 'Number(cents.padEnd(2, "0"));',
        }),
      ], use(23_100, 121)),
      answer([
        delay(400),
        toolUse("Bash", { command: "sh check.sh", description: "Run the price test" }),
      ], use(23_400, 60)),
      answer([
        delay(900),
        text(
          "The test passes. Two things were wrong in price.mjs:\n\n" +
            "1. Points between thousands were not removed, so 1.250 was read as 1.25.\n" +
            "2. A single digit of cents counted as cents, not as tens.\n\n" +
            "I could not look up how the till writes cents: WebFetch is not allowed in this run. " +
            "I went by what the test expects.",
        ),
      ], use(23_800, 118)),
    ],
  },
];
