/**
 * What everybody writes first: starts a program, reads, splits at newlines, parses. It bounds nothing and keeps nothing.
 *
 * Each line on standard input is a JSON array of programs to be read at once; the answer is one line with the frames
 * and the milliseconds from the first start to the last end.
 *
 * @module
 */

async function readPlainly(program: string): Promise<number> {
  const child = new Deno.Command(program, { stdin: "null", stdout: "piped" }).spawn();
  const decoder = new TextDecoder();
  let rest = "";
  let frames = 0;
  for await (const chunk of child.stdout) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      JSON.parse(line);
      frames += 1;
    }
  }
  await child.status;
  return frames;
}

let pending = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (pending + text).split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines) {
    const started = performance.now();
    const frames = await Promise.all((JSON.parse(line) as string[]).map(readPlainly));
    const ms = performance.now() - started;
    // deno-lint-ignore no-console -- the answer
    console.log(JSON.stringify({ frames: frames.reduce((sum, one) => sum + one), ms }));
  }
}
