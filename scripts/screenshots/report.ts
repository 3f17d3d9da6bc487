/**
 * Takes the picture of a report for the documents: `deno run -A scripts/screenshots/report.ts` writes
 * `docs/images/report.png` from the recorded story.
 *
 * @module
 */
import { readReport } from "../../src/cli/report_input.ts";
import { writePage } from "../../src/report/page.ts";
import { pictureOf } from "./picture.ts";

const story = new URL("../../fixtures/streams/story.ndjson", import.meta.url).pathname;
const target = new URL("../../docs/images/report.png", import.meta.url);

const input = await readReport(story, 10_000_000);
if (!input.ok) throw new Error(input.message);
const html = [...writePage(input.report, { title: "The price test fails" })].join("");
const picture = await pictureOf(html, { width: 1080, height: 1290 });
await Deno.mkdir(new URL("./", target), { recursive: true });
await Deno.writeFile(target, picture);
// deno-lint-ignore no-console -- a program for people
console.log(`docs/images/report.png: ${picture.length} bytes`);
