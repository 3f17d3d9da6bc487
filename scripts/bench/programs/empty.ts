/** The least that a program can do and be seen to have started. */

// deno-lint-ignore no-console -- the line is what is waited for
console.log("ready");
