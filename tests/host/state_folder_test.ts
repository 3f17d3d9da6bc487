import { assertEquals } from "@std/assert";
import { stateFolder } from "../../src/host/state_folder.ts";

const CASES: readonly {
  readonly env: { readonly [name: string]: string };
  readonly os: string;
  readonly folder: string | null;
}[] = [
  { env: { HOME: "/h" }, os: "linux", folder: "/h/.local/state/claude-code-adapter" },
  { env: { HOME: "/h/" }, os: "linux", folder: "/h/.local/state/claude-code-adapter" },
  {
    env: { HOME: "/h" },
    os: "darwin",
    folder: "/h/Library/Application Support/claude-code-adapter",
  },
  { env: { HOME: "/h", XDG_STATE_HOME: "/s" }, os: "linux", folder: "/s/claude-code-adapter" },
  { env: { HOME: "/h", XDG_STATE_HOME: "/s" }, os: "darwin", folder: "/s/claude-code-adapter" },
  { env: { XDG_STATE_HOME: "/s" }, os: "linux", folder: "/s/claude-code-adapter" },
  {
    env: { HOME: "/h", XDG_STATE_HOME: "s" },
    os: "linux",
    folder: "/h/.local/state/claude-code-adapter",
  },
  {
    env: { HOME: "/h", XDG_STATE_HOME: "" },
    os: "linux",
    folder: "/h/.local/state/claude-code-adapter",
  },
  { env: { HOME: "h" }, os: "linux", folder: null },
  { env: { HOME: "" }, os: "linux", folder: null },
  { env: {}, os: "darwin", folder: null },
];

for (const { env, os, folder } of CASES) {
  Deno.test(`on ${os} with ${JSON.stringify(env)} the state folder is ${folder}`, () => {
    assertEquals(stateFolder(env, os), folder);
  });
}
