import { assertEquals } from "@std/assert";
import {
  countText,
  dollarText,
  durationText,
  plural,
  shortCount,
  sizeText,
} from "../../src/report/wording.ts";

const WORDS: readonly (readonly [string, string])[] = [
  [durationText(0), "0 s"],
  [durationText(0.4), "0 s"],
  [durationText(7), "7 ms"],
  [durationText(994.6), "995 ms"],
  [durationText(995), "1.0 s"],
  [durationText(9_940), "9.9 s"],
  [durationText(9_960), "10 s"],
  [durationText(59_600), "1 min"],
  [durationText(200_000), "3 min 20 s"],
  [durationText(3_600_000), "1 h"],
  [durationText(7_500_000), "2 h 5 min"],
  [countText(999), "999"],
  [countText(1_234_567), "1\u202f234\u202f567"],
  [shortCount(999), "999"],
  [shortCount(1_000), "1k"],
  [shortCount(12_345), "12.3k"],
  [shortCount(999_499), "999k"],
  [shortCount(999_500), "1M"],
  [dollarText(0), "$0"],
  [dollarText(0.00014), "$0.0001"],
  [dollarText(0.8), "$0.80"],
  [sizeText(1_023), "1023 B"],
  [sizeText(8 * 1024 * 1024), "8 MiB"],
  [plural(1, "retry", "retries"), "1 retry"],
  [plural(2, "retry", "retries"), "2 retries"],
];

Deno.test("numbers are written for reading", () => {
  for (const [written, expected] of WORDS) assertEquals(written, expected);
});
