/**
 * Pictures of pages, for the documents.
 *
 * @module
 */
import { type PageOptions, startChromium } from "../support/chromium.ts";

/** How to take a picture. */
export interface PictureOptions extends PageOptions {
  /** The whole page instead of what is in view. */
  readonly isWhole?: boolean;
  /** Evaluated in the page first, such as to unfold something. */
  readonly prepare?: string;
}

/**
 * The picture of an HTML page as PNG. The page is opened from a file, without a server; the browser has a fresh profile
 * and ends with the picture.
 */
export async function pictureOf(
  html: string,
  { isWhole = false, prepare, ...options }: PictureOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const home = await Deno.makeTempDir({ prefix: "adapter-picture-" });
  try {
    await Deno.writeTextFile(`${home}/page.html`, html);
    await using browser = await startChromium(home);
    const page = await browser.page(options);
    await page.goto(`file://${home}/page.html`);
    if (prepare !== undefined) await page.evaluate(prepare);
    return await page.screenshot({ isWhole });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}
