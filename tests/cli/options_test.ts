import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Command, readCommand, type ServeOptions } from "../../src/cli/options.ts";

const DEFAULTS: ServeOptions = {
  executable: null,
  acceptNativeVersion: null,
  oversizedFrames: "skip",
  syncBudgetSeconds: null,
  logLevel: "warn",
};

function serve(explicit: boolean, over: Partial<ServeOptions> = {}): Command {
  return { kind: "serve", explicit, options: { ...DEFAULTS, ...over } };
}

Deno.test("readCommand reads every right command line", () => {
  const cases: [string[], Command][] = [
    [[], serve(false)],
    [["serve"], serve(true)],
    [["serve", "--executable", "/bin/claude"], serve(true, { executable: "/bin/claude" })],
    [["--executable=/bin/claude"], serve(false, { executable: "/bin/claude" })],
    [
      ["--accept-native-version", "2.1.340 (Claude Code)"],
      serve(false, { acceptNativeVersion: "2.1.340 (Claude Code)" }),
    ],
    [["--executable=/a=b"], serve(false, { executable: "/a=b" })],
    [["serve", "--executable", "relative/claude"], serve(true, { executable: "relative/claude" })],
    [["serve", "--executable=-odd"], serve(true, { executable: "-odd" })],
    [
      ["serve", "--oversized-frames=fail", "--log-level", "debug"],
      serve(true, { oversizedFrames: "fail", logLevel: "debug" }),
    ],
    [["serve", "--sync-budget=50"], serve(true, { syncBudgetSeconds: 50 })],
    [["--sync-budget", "1800"], serve(false, { syncBudgetSeconds: 1800 })],
    [["supervise"], { kind: "supervise" }],
    [["--help"], { kind: "help" }],
    [["-h"], { kind: "help" }],
    [["help"], { kind: "help" }],
    [["serve", "--help"], { kind: "help" }],
    [["--version"], { kind: "version" }],
    [["-V"], { kind: "version" }],
  ];
  for (const [args, expected] of cases) assertEquals(readCommand(args), expected, args.join(" "));
});

Deno.test("readCommand says in a sentence what is wrong with any other", () => {
  const cases: [string[], string][] = [
    [["bogus"], "there is no command 'bogus'"],
    [["serve", "extra"], "'extra' is one argument too many"],
    [["serve", "--bogus"], "there is no option '--bogus'"],
    [["--bogus=1"], "there is no option '--bogus'"],
    [["-x"], "there is no option '-x'"],
    [["--constructor"], "there is no option '--constructor'"],
    [["serve", "--executable"], "--executable needs an absolute path"],
    [["serve", "--executable="], "--executable needs an absolute path"],
    [["serve", "--executable", "--log-level=info"], "--executable needs an absolute path"],
    [["serve", "--executable=/a", "--executable=/b"], "--executable is given twice"],
    [["serve", "--oversized-frames", "maybe"], "--oversized-frames must be one of skip, fail"],
    [["serve", "--oversized-frames"], "--oversized-frames must be one of skip, fail"],
    [["serve", "--log-level=loud"], "--log-level must be one of error, warn, info, debug"],
    ...["0", "1801", "-1", "1.5", "0x10", "soon", "99999"].map((
      value,
    ): [string[], string] => [
      [`--sync-budget=${value}`],
      "--sync-budget needs a whole number of seconds from 1 to 1800",
    ]),
    [["--sync-budget="], "--sync-budget needs a whole number of seconds"],
    [["supervise", "x"], "supervise takes no arguments"],
  ];
  for (const [args, expected] of cases) {
    const command = readCommand(args);
    assert(command.kind === "usage", args.join(" "));
    assertStringIncludes(command.message, expected);
    assertStringIncludes(command.message, "--help");
  }
});

Deno.test("readCommand repeats no control characters and no more than a little", () => {
  const command = readCommand(["\u001b[2J" + "x".repeat(10_000)]);
  assert(command.kind === "usage");
  assert(!command.message.includes("\u001b") && command.message.length < 200);
});
