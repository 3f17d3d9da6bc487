/** What the MCP registry is told: the `server.json` of the repository, with a bundle to download. */
import { VERSION } from "../../src/base/version.ts";

/** A bundle that will be published. */
export interface PublishedBundle {
  /** The repository, with its last slash. */
  readonly root: string;
  /** Where the bundle is downloaded from; a release of the repository that the name belongs to. */
  readonly url: string;
  /** Of the bundle. */
  readonly sha256: string;
}

/** The whole entry. Throws `Error` for an address that is not https. */
export async function registryEntry(
  { root, url, sha256 }: PublishedBundle,
): Promise<{ readonly [member: string]: unknown }> {
  if (!URL.canParse(url) || new URL(url).protocol !== "https:") {
    throw new Error(`the bundle's address must be an https URL, not '${url}'`);
  }
  const base = JSON.parse(await Deno.readTextFile(`${root}packaging/server.json`));
  return {
    ...base,
    version: VERSION,
    packages: [{
      registryType: "mcpb",
      identifier: url,
      version: VERSION,
      fileSha256: sha256,
      transport: { type: "stdio" },
    }],
  };
}
