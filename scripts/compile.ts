/**
 * Makes one binary, `dist/claude-code-adapter`.
 *
 * `deno compile` needs Deno's base binary (denort), which it downloads once, or takes from `DENORT_BIN`. Where neither
 * works this says so and ends with success, so that the other checks still count; every other fault is a failure.
 *
 * @module
 */
const output = "dist/claude-code-adapter";
const { code, stderr } = await new Deno.Command(Deno.execPath(), {
  args: [
    "compile",
    "--v8-flags=--max-semi-space-size=8",
    // The binary plays both roles, the server and the supervisor; these are the permissions of the server.
    "--allow-run",
    "--allow-env",
    "--allow-read",
    "--output",
    output,
    "mod.ts",
  ],
  stdin: "null",
}).output();
const said = new TextDecoder().decode(stderr);

if (code === 0) {
  const check = await new Deno.Command(output, { args: ["--version"], stdin: "null" }).output();
  const version = new TextDecoder().decode(check.stdout).trim();
  if (check.code !== 0 || version === "") {
    console.error(`The binary was built but does not answer --version:\n${said}`);
    Deno.exit(1);
  }
  console.log(`built ${output}, which says: ${version}`);
} else if (Deno.env.get("DENORT_BIN") === undefined && /denort|download/i.test(said)) {
  console.log("************************************************************************");
  console.log("* NOT BUILT: deno compile could not fetch its base binary (denort).    *");
  console.log("* Set DENORT_BIN to one, or run this where Deno's downloads work.      *");
  console.log("************************************************************************");
  console.log(said.trim().split("\n").slice(0, 3).join("\n"));
} else {
  console.error(said);
  Deno.exit(1);
}
