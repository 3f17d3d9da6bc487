/** Pages in a real browser. */
import { assertEquals } from "@std/assert";
import {
  type BrowserPage,
  type PageOptions,
  startChromium,
} from "../../scripts/support/chromium.ts";
import { leftBehind } from "../../scripts/support/left_behind.ts";

/** Writes pages to files and shows them. */
export interface Viewer {
  /** Opens a page from a file, as a person would. */
  show(page: string, options?: PageOptions): Promise<BrowserPage>;
}

/** Starts a browser for one test, and asserts that it leaves nothing behind. */
export async function withBrowser(test: (viewer: Viewer) => Promise<void>): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "adapter-browser-" });
  let files = 0;
  try {
    await using browser = await startChromium(home);
    await test({
      async show(html, options) {
        const path = `${home}/page_${++files}.html`;
        await Deno.writeTextFile(path, html);
        const page = await browser.page(options);
        await page.goto(`file://${path}`);
        return page;
      },
    });
  } finally {
    assertEquals(await leftBehind(home), []);
    await Deno.remove(home, { recursive: true });
  }
}

/** What a page must never cause: a script's traces, a request, a complaint. */
export function misdeeds(page: BrowserPage): readonly string[] {
  const found: string[] = [];
  for (const { method, params } of page.events) {
    if (method === "Network.requestWillBeSent") {
      const { url } = params.request;
      if (!url.startsWith("file://") && url !== "about:blank") found.push(`request of ${url}`);
    } else if (COMPLAINTS.has(method)) found.push(`${method} ${JSON.stringify(params)}`);
  }
  return found;
}

const COMPLAINTS: ReadonlySet<string> = new Set([
  "Page.javascriptDialogOpening",
  "Page.windowOpen",
  "Page.frameRequestedNavigation",
  "Runtime.consoleAPICalled",
  "Runtime.exceptionThrown",
  "Log.entryAdded",
]);
