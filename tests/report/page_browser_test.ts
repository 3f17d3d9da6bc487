import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installTools } from "../../scripts/native/install_tools.ts";
import type { BrowserPage } from "../../scripts/support/chromium.ts";
import type { JsonObject } from "../../src/base/json.ts";
import { POLICY } from "../../src/report/page.ts";
import { FIXTURES, recordedCases } from "../helpers/replay.ts";
import { misdeeds, withBrowser } from "./browser.ts";
import { longRun, pageOf, readEvents, readLines } from "./events.ts";
import { PAYLOADS, poisoned } from "./hostile.ts";

const PHONE = { width: 360, height: 780, isMobile: true };

/** Elements and attributes that this program writes. */
const ELEMENTS =
  "a bdi body br code dd details div dl dt footer h1 h2 h3 head header html li main meta nav ol p pre rect section " +
  "small span strong style summary svg table tbody td tfoot th thead title tr ul wbr";
const ATTRIBUTES =
  "aria-hidden aria-label aria-labelledby charset class colspan content dir height href " +
  "http-equiv id lang name open preserveAspectRatio role scope start tabindex title viewBox width x y";

/** What of a page's tree this program did not write. */
const STRANGERS = `(() => {
  const elements = new Set(${JSON.stringify(ELEMENTS.split(" "))});
  const attributes = new Set(${JSON.stringify(ATTRIBUTES.split(" "))});
  const found = [];
  for (const element of document.querySelectorAll("*")) {
    if (!elements.has(element.localName)) found.push(element.localName);
    for (const { name, value } of element.attributes) {
      if (!attributes.has(name)) found.push(element.localName + " " + name);
      if (name === "href" && !/^#[a-z0-9]+$/.test(value)) found.push("href " + value);
    }
  }
  return found;
})()`;

/** What a reader cannot see, or what moves what they see. */
// deno-lint-ignore no-control-regex -- exactly these must not be there
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffd]/;

async function recording(name: string): Promise<readonly string[]> {
  return (await Deno.readTextFile(new URL(`${name}.ndjson`, FIXTURES))).split("\n");
}

async function overflow(page: BrowserPage): Promise<number> {
  return await page.evaluate(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
}

Deno.test("every recording is a page without a complaint, as wide as a phone", async () => {
  await withBrowser(async (viewer) => {
    for (const name of await recordedCases()) {
      const page = await viewer.show(pageOf(readLines(await recording(name)), name), PHONE);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      assertEquals([await page.evaluate(STRANGERS), misdeeds(page)], [[], []], name);
      assertEquals(await overflow(page), 0, name);
      await page.send("Page.close");
    }
  });
});

Deno.test("hostile text in every member stays text", async () => {
  const frames = (await recording("story")).filter((line) => line !== "").map((line) =>
    JSON.parse(line) as JsonObject
  );
  await withBrowser(async (viewer) => {
    for (const payload of PAYLOADS) {
      const events = [
        ...frames.map((frame) => poisoned(frame, payload)),
        { type: payload, [payload]: payload },
        { type: "system", subtype: payload },
      ];
      const page = await viewer.show(pageOf(readEvents(events), payload), PHONE);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)");
      assertEquals([await page.evaluate(STRANGERS), misdeeds(page)], [[], []], payload);
      assertEquals(await page.evaluate("[typeof window.hacked, document.scripts.length]"), [
        "undefined",
        0,
      ]);
      assertStringIncludes(await page.evaluate("document.title"), "Claude Code run");
      assertEquals(await overflow(page), 0, payload);
      const text: string = await page.evaluate("document.body.textContent");
      assertEquals(UNSEEN.exec(text), null, payload);
      if (/^[ -~]{1,1000}$/.test(payload)) assertStringIncludes(text, payload);
      await page.send("Page.close");
    }
  });
});

Deno.test("a script that got into the page all the same would not run, and nothing would be loaded", async () => {
  const page = pageOf(readLines(await recording("story")));
  const attack = "<script>window.hacked = 1</script><img src='http://127.0.0.1:9/x.png'>" +
    "<link rel=stylesheet href='http://127.0.0.1:9/x.css'>";
  await withBrowser(async (viewer) => {
    // The attack works where the policy is not: the assertions below can fail.
    const bare = await viewer.show(page.replace(POLICY, "").replace("<main>", `<main>${attack}`));
    assertEquals(await bare.evaluate("window.hacked"), 1);
    assert(misdeeds(bare).some((deed) => deed.startsWith("request of http://127.0.0.1:9")));

    const guarded = await viewer.show(page.replace("<main>", `<main>${attack}`));
    assertEquals(await guarded.evaluate("typeof window.hacked"), "undefined");
    const refused = misdeeds(guarded).filter((deed) => deed.includes("Content Security Policy"));
    assertEquals(refused.length, 3, misdeeds(guarded).join("\n"));
  });
});

async function layoutObjects(page: BrowserPage): Promise<number> {
  const { metrics } = await page.send("Performance.getMetrics");
  return metrics.find((metric: { name: string }) => metric.name === "LayoutObjects").value;
}

Deno.test("of fifty thousand events only what is in view is laid out, and the last is reached", async () => {
  const events = [...longRun(50_000)];
  assert(events.length >= 50_000);
  const report = readEvents(events);
  assertEquals(report.reading.entriesLeftOut, 0);
  const html = pageOf(report);
  assert(html.length < 20_000_000, `${html.length}`);
  await withBrowser(async (viewer) => {
    const page = await viewer.show(html);
    assert(await page.evaluate("document.querySelectorAll('.entry').length") > 30_000);
    assert(await layoutObjects(page) < 5_000, `${await layoutObjects(page)}`);
    // A link to the last entry: what is skipped is found all the same.
    const last = await page.evaluate("[...document.querySelectorAll('.entry')].at(-1).id");
    await page.evaluate(`location.hash = ${JSON.stringify(last)}`);
    await page.screenshot();
    const top = await page.evaluate(
      `document.getElementById(${JSON.stringify(last)}).getBoundingClientRect().top`,
    );
    assert(top >= 0 && top < 900, `${top}`);
    assert(await layoutObjects(page) < 10_000, `${await layoutObjects(page)}`);
    assertEquals(misdeeds(page), []);
  });
});

Deno.test("light and dark are different, and both have the contrast that axe asks for", async () => {
  const tools = await installTools();
  const axe = await Deno.readTextFile(tools.file("axe-core", "axe.min.js"));
  const pages = ["story", "api_retries", "sigterm_streaming", "subagent_background"];
  await withBrowser(async (viewer) => {
    const papers = new Set<string>();
    for (const name of pages) {
      const html = pageOf(readLines(await recording(name)), name);
      for (const isDark of [false, true]) {
        for (const width of [360, 1100]) {
          const page = await viewer.show(html, { width, height: 900, isDark });
          papers.add(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
          await page.evaluate(
            "document.querySelectorAll('details').forEach((one) => one.open = true)",
          );
          // The policy stops a page's own scripts; DevTools may evaluate.
          await page.evaluate(`${axe}; 0`);
          const { violations } = await page.evaluate(
            "axe.run(document, { resultTypes: ['violations'] })",
          );
          const said = violations.map((one: { id: string; nodes: { html: string }[] }) =>
            `${one.id}: ${one.nodes[0]?.html}`
          );
          assertEquals(said, [], `${name} ${isDark ? "dark" : "light"} ${width}`);
        }
      }
    }
    assertEquals(papers.size, 2);
  });
});

async function press(page: BrowserPage, key: string, code: number): Promise<void> {
  const event = { key, code: key, windowsVirtualKeyCode: code };
  await page.send("Input.dispatchKeyEvent", {
    type: "keyDown",
    ...event,
    ...(key === "Enter" && { text: "\r" }),
  });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

Deno.test("the keyboard reaches every link and fold, unfolds a tool call, and skips to the conversation", async () => {
  await withBrowser(async (viewer) => {
    const page = await viewer.show(pageOf(readLines(await recording("story"))));
    const focusable: number = await page.evaluate(
      "[...document.querySelectorAll('a, summary, [tabindex]')].filter((one) => one.checkVisibility()).length",
    );
    await press(page, "Tab", 9);
    assertEquals(
      await page.evaluate("document.activeElement.textContent"),
      "Skip to the conversation",
    );
    const reached = new Set<string>();
    const where =
      "[...document.querySelectorAll('a, summary, [tabindex]')].indexOf(document.activeElement)";
    for (let i = 0; i < focusable; i++) {
      reached.add(await page.evaluate(where));
      const ring = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      assertEquals(ring, "solid");
      await press(page, "Tab", 9);
    }
    assertEquals(reached.size, focusable);
    await page.evaluate("document.querySelector('.call').focus()");
    await press(page, "Enter", 13);
    assertEquals(await page.evaluate("document.querySelector('.call').parentElement.open"), true);
    await page.evaluate("document.querySelector('.skip').focus()");
    await press(page, "Enter", 13);
    assertEquals(await page.evaluate("location.hash"), "#conversation");
    assertEquals(misdeeds(page), []);
  });
});

Deno.test("on paper everything is unfolded", async () => {
  await withBrowser(async (viewer) => {
    const page = await viewer.show(pageOf(readLines(await recording("story"))));
    const hidden = `[...document.querySelectorAll("details pre")].filter((one) =>
      !one.checkVisibility({ contentVisibilityAuto: false })).length`;
    assert(await page.evaluate(hidden) > 10);
    await page.send("Emulation.setEmulatedMedia", { media: "print" });
    assertEquals(await page.evaluate(hidden), 0);
  });
});
