import { assertEquals, assertStringIncludes } from "@std/assert";
import { leftBehind } from "../../scripts/support/left_behind.ts";
import { answer, NO_READER_EXIT, say } from "../../src/cli/say.ts";
import { programCommand } from "../helpers/program.ts";
import { cleanEnv } from "./adapter.ts";

/** The adapter behind a shell that first waits for a line and then becomes it, with standard output going to `place`. */
async function ended(args: readonly string[], place: "gone" | "full") {
  const child = new Deno.Command("/bin/sh", {
    args: [
      "-c",
      `read -r _; exec "$@"${place === "full" ? " >/dev/full" : ""}`,
      "sh",
      ...programCommand(args, [`--allow-write=${TEMP}`, "--allow-net=127.0.0.1"]),
    ],
    clearEnv: true,
    env: cleanEnv({ TMPDIR: TEMP, XDG_STATE_HOME: TEMP }),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  // The reader is gone before the adapter begins.
  await child.stdout.cancel();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode("go\n"));
  await input.close();
  const [{ code }, stderr] = await Promise.all([child.status, new Response(child.stderr).text()]);
  return { code, stderr };
}

const TEMP = await Deno.realPath(await Deno.makeTempDir({ prefix: "adapter-output-" }));
globalThis.addEventListener("unload", () => Deno.removeSync(TEMP, { recursive: true }));

const RESULT = { type: "result", subtype: "success", is_error: false, result: "", session_id: "s" };
/** Says its version and prints a result; ends at once or, with `waits` in its prompt, never. */
const CLAUDE = `${TEMP}/claude`;
await Deno.writeTextFile(
  CLAUDE,
  `#!/bin/sh
[ "$1" = --version ] && { echo "2.1.332 (Claude Code)"; exit 0; }
prompt=$(cat)
cat <<'END'
${JSON.stringify(RESULT)}
END
case $prompt in *waits*) exec sleep 300 ;; esac
`,
  { mode: 0o755 },
);
await Deno.writeTextFile(`${TEMP}/bad.json`, "{}");

const PRINT = ["print", `--executable=${CLAUDE}`, "--permission-mode=plan"];
const ANSWERS: readonly (readonly string[])[] = [
  ["--help"],
  ["--version"],
  ["help"],
  ["verify", "--help"],
  ["tree", "validate", "cli-tree.json"],
  ["tree", "validate", `${TEMP}/bad.json`],
  ["tree", "check", "cli-tree.json", `--executable=${CLAUDE}`],
  ["tree", "show"],
  ["tree", "show", "--json"],
  ["config", "cursor"],
  ["config", "cursor", "--json"],
  ["doctor"],
  ["doctor", "--json"],
  ["verify", `--executable=${CLAUDE}`],
  ["verify", `--executable=${CLAUDE}`, "--json"],
  [...PRINT, "hello"],
  [...PRINT, "it waits"],
];

for (const args of ANSWERS) {
  const what = args.join(" ").replaceAll(`${TEMP}/`, "");
  Deno.test(`'${what}' fails when what it prints is not read or cannot be written`, async () => {
    const full = await ended(args, "full");
    assertEquals(full.code, 1, full.stderr);
    const command = args.find((word) => /^(verify|tree|config|doctor|print)$/.test(word)) ?? "";
    assertStringIncludes(
      full.stderr,
      `${`claude-code-adapter ${command}`.trim()}: standard output cannot be written: ` +
        "No space left on device (os error 28)\n",
    );
    const gone = await ended(args, "gone");
    assertEquals(gone.code, NO_READER_EXIT, gone.stderr);
    assertEquals(gone.stderr.includes("cannot be written"), false, "a reader that left is no news");
  });
}

Deno.test("no print out of many succeeds when its answer cannot be written", async () => {
  const codes: number[] = [];
  for (let i = 0; i < 12; i++) {
    const some = await Promise.all([1, 2].map(() => ended([...PRINT, "hello"], "full")));
    codes.push(...some.map(({ code }) => code));
  }
  assertEquals(codes, new Array(24).fill(1));
});

Deno.test("a pipe that does not wait gets everything, and what is said beside an answer may be lost", () => {
  let [text, calls] = ["", 0];
  const busy = {
    writeSync(bytes: Uint8Array): number {
      if (calls++ % 2 === 0) throw new Deno.errors.WouldBlock("Resource temporarily unavailable");
      text += new TextDecoder().decode(bytes.subarray(0, 3));
      return Math.min(3, bytes.length);
    },
  };
  assertEquals([answer("tree", "a whole answer\n", busy), text], [null, "a whole answer\n"]);
  const broken = {
    writeSync(): number {
      throw new Deno.errors.BrokenPipe("Broken pipe");
    },
  };
  assertEquals([say(broken, "x"), answer("tree", "x", broken)], [undefined, NO_READER_EXIT]);
});

Deno.test("nothing is left of what any of them started", async () => {
  assertEquals(await leftBehind(TEMP), []);
});
