/** The transcript of a recorded stream, as a pipe gets it; its time is played: each frame comes 100 ms after the one before. */
import { frameStream } from "../../../src/frames/frame_stream.ts";
import { PlainPage } from "../../../src/cli/run/plain_page.ts";
import type { Piece } from "../../../src/cli/run/piece.ts";
import { type Progress, Transcript } from "../../../src/cli/run/transcript.ts";
import { chunked, FIXTURES } from "../../helpers/replay.ts";

/** What a recording comes to. */
export interface Recorded {
  readonly pieces: readonly Piece[];
  /** As plain lines. */
  readonly text: string;
  readonly progress: Progress;
  /** The text of the answer's result, or `null`. */
  readonly result: string | null;
}

/** Shows a recording whose bytes come in chunks of `size`; 0 is one chunk. */
export async function showRecorded(name: string, size = 0): Promise<Recorded> {
  const bytes = await Deno.readFile(new URL(`${name}.ndjson`, FIXTURES));
  const { argv } = JSON.parse(await Deno.readTextFile(new URL(`${name}.json`, FIXTURES)));
  const resumed = argv.some((arg: string) => /^--(resume|continue)/.test(arg));
  const transcript = new Transcript({ resumed });
  const pieces: Piece[] = [];
  let now = 0;
  let result: string | null = null;
  for await (const batch of frameStream(chunked(bytes, size))) {
    for (const item of batch) {
      pieces.push(...transcript.observe(item, now += 100));
      if (item.kind !== "frame" || item.frame.type !== "result") continue;
      if (item.frame.is_error === false) result ??= String(item.frame.result);
    }
  }
  pieces.push(...transcript.end(result, now));
  const page = new PlainPage();
  for (const piece of pieces) page.add(piece);
  return { pieces, text: page.close(), progress: transcript.progress, result };
}
