/**
 * One executable for every behaviour of the stand-ins, chosen by the first word of the prompt.
 *
 * @module
 */
import { McpClient } from "../support/mcp_client.ts";
import { adapterEnv, type Place } from "../support/place.ts";

/** An adapter on the stand-ins, in a place of its own; dispose of the client, then of the place. */
export async function connectStandIn(place: Place): Promise<McpClient> {
  const executable = `${place.root}/claude`;
  await Deno.writeTextFile(executable, standIn(), { mode: 0o755 });
  return await McpClient.connect({
    cwd: place.project,
    env: await adapterEnv({ place, url: "http://127.0.0.1:9" }),
    args: ["serve", `--executable=${executable}`],
  });
}

/** The text of the executable: `setsid_child stay` runs the behaviour `setsid_child` with the prompt `stay`. */
export function standIn(): string {
  return `#!/bin/sh
fakes='${pathOf("../../fixtures/fake_claude")}'
[ "\${1-}" = --version ] && exec "$fakes/ok" --version
for last; do :; done
case \${last%% *} in
  mixed) exec '${pathOf("./mixed")}' "$@" "\${last#* }" ;;
  *) exec "$fakes/\${last%% *}" "$@" "\${last#* }" ;;
esac
`;
}

function pathOf(relative: string): string {
  return decodeURIComponent(new URL(relative, import.meta.url).pathname);
}
