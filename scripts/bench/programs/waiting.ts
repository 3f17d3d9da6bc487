/** Waits for the end of its input and does nothing meanwhile. */

for await (const _ of Deno.stdin.readable);
