/** A temporary place for the real CLI: a HOME, a configuration folder and a project, and nothing of the person's. */

import { nativeEnv } from "../../src/loopback/mod.ts";
import { processesOf } from "./left_behind.ts";

/** The folders of a place. */
export interface Place extends AsyncDisposable {
  /** Everything is below it, and it is in the environment of every process. */
  readonly root: string;
  /** Stays empty: the CLI keeps its state in `config`. */
  readonly home: string;
  readonly config: string;
  /** The directory that runs work in. */
  readonly project: string;
}

/** What is in the place from the start. */
export interface PlaceOptions {
  /** Start of the folder's name. */
  readonly prefix: string;
  /**
   * Runs may use Bash without asking, as a person can set it for themselves.
   *
   * @default {false}
   */
  readonly allowBash?: boolean;
}

/**
 * Makes a place. Disposing of it ends whatever still belongs to it, so that nothing is left of what failed or
 * was interrupted either, and removes it.
 */
export async function makePlace({ prefix, allowBash = false }: PlaceOptions): Promise<Place> {
  const root = await Deno.makeTempDir({ prefix });
  const [home, config, project] = [`${root}/home`, `${root}/config`, `${root}/project`] as const;
  for (const folder of [home, config, project]) await Deno.mkdir(folder);
  if (allowBash) {
    await Deno.writeTextFile(`${config}/settings.json`, '{"permissions":{"allow":["Bash"]}}');
  }
  return {
    root,
    home,
    config,
    project,
    async [Symbol.asyncDispose]() {
      for (const { pid } of await processesOf(root)) kill(pid);
      await Deno.remove(root, { recursive: true });
    },
  };
}

/** What else the environment of an adapter says. */
export interface AdapterEnvOptions {
  readonly place: Place;
  /** The loopback model's base URL. */
  readonly url: string;
  /**
   * Whether there is a key.
   *
   * @default {true}
   */
  readonly loggedIn?: boolean;
}

/**
 * The whole environment of an adapter in a place: that of the CLI, and the Deno cache of this machine, since
 * the adapter is a Deno program whose HOME is empty.
 */
export async function adapterEnv(options: AdapterEnvOptions): Promise<Record<string, string>> {
  const { place, url, loggedIn = true } = options;
  return nativeEnv({
    home: place.home,
    url,
    ...(loggedIn ? {} : { apiKey: undefined }),
    extra: {
      CLAUDE_CONFIG_DIR: place.config,
      CLAUDE_CODE_TMPDIR: `${place.root}/tmp`,
      DENO_DIR: await denoDir(),
      DENO_NO_UPDATE_CHECK: "1",
      NO_COLOR: "1",
    },
  });
}

let found: Promise<string> | null = null;

/** Where Deno keeps what it has downloaded and compiled, on this machine; looked up while HOME is the person's. */
export function denoDir(): Promise<string> {
  found ??= (async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--no-config", "--json"],
      stdin: "null",
      stderr: "null",
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
  })();
  return found;
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
