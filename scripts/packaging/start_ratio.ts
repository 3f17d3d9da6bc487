/** How long a program takes over an empty program of this Deno, by turns; the median of the ratios. */
export async function startRatio(command: readonly string[], rounds: number = 7): Promise<number> {
  const empty = await Deno.makeTempFile({ prefix: "adapter-empty-", suffix: ".js" });
  try {
    const base = [Deno.execPath(), "run", "--quiet", "--no-config", "--no-lock", empty];
    const ratios: number[] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const [one, other] = [await milliseconds(command), await milliseconds(base)];
      if (round > 0) ratios.push(one / other);
    }
    const median = ratios.sort((a, b) => a - b)[ratios.length >> 1]!;
    return Math.round(median * 100) / 100;
  } finally {
    await Deno.remove(empty);
  }
}

async function milliseconds([program = "", ...args]: readonly string[]): Promise<number> {
  const before = performance.now();
  await new Deno.Command(program, { args, stdin: "null", stdout: "null", stderr: "null" }).output();
  return performance.now() - before;
}
