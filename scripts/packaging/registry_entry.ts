/** What the MCP registry is told: the `server.json` of the repository, with the bundles to download. */
import { VERSION } from "../../src/base/version.ts";

/** A bundle that will be published. */
export interface PublishedBundle {
  /** Where it is downloaded from; a release of the repository that the name belongs to. */
  readonly url: string;
  /** Of the bundle. */
  readonly sha256: string;
}

/**
 * The whole entry.
 *
 * @param root The repository, with its last slash.
 * @throws {Error} For an address that is not https.
 */
export async function registryEntry(
  root: string,
  bundles: readonly PublishedBundle[],
): Promise<{ readonly [member: string]: unknown }> {
  for (const { url } of bundles) {
    if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
      throw new Error(`the bundle's address must be an https URL, not '${url}'`);
    }
  }
  const base = JSON.parse(await Deno.readTextFile(`${root}packaging/server.json`));
  return {
    ...base,
    version: VERSION,
    packages: bundles.map(({ url, sha256 }) => ({
      registryType: "mcpb",
      identifier: url,
      version: VERSION,
      fileSha256: sha256,
      transport: { type: "stdio" },
    })),
  };
}
