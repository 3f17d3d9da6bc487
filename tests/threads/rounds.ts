/** Rounds read from recordings, from frames, and in any chunks. */
import type { JsonObject } from "../../src/base/json.ts";
import { frameStream } from "../../src/frames/frame_stream.ts";
import { collectUpdates } from "../../src/threads/collect_updates.ts";
import { roundError } from "../../src/threads/round_error.ts";
import { RoundReader, type RoundReaderOptions } from "../../src/threads/round_reader.ts";
import type { Update } from "../../src/threads/updates.ts";
import { item } from "../helpers/frames.ts";
import { chunked, FIXTURES, type RecordedCase } from "../helpers/replay.ts";

/** A round that was read to its end. */
export interface ReadRound {
  readonly reader: RoundReader;
  readonly updates: readonly Update[];
}

/** The recorded bytes of a case. */
export function recordedBytes(name: string): Promise<Uint8Array> {
  return Deno.readFile(new URL(`${name}.ndjson`, FIXTURES));
}

/** What is known of a case besides its output. */
export async function recordedCase(name: string): Promise<RecordedCase> {
  return JSON.parse(await Deno.readTextFile(new URL(`${name}.json`, FIXTURES)));
}

/** The frames of a case. */
export async function recordedFrames(name: string): Promise<JsonObject[]> {
  const text = new TextDecoder().decode(await recordedBytes(name));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Reads bytes in chunks of a size; 0 is one chunk. */
export async function readBytes(
  bytes: Uint8Array,
  options: Partial<RoundReaderOptions> & { readonly chunk?: number } = {},
): Promise<ReadRound> {
  const reader = new RoundReader({ resumed: false, ...options });
  const updates: Update[] = [];
  for await (const batch of frameStream(chunked(bytes, options.chunk ?? 0))) {
    for (const one of batch) updates.push(...reader.read(one));
  }
  return { reader, updates };
}

/** Reads frames. */
export function readFrames(
  frames: readonly JsonObject[],
  options: Partial<RoundReaderOptions> = {},
): ReadRound {
  const reader = new RoundReader({ resumed: false, ...options });
  return { reader, updates: frames.flatMap((frame) => reader.read(item(frame))) };
}

/** A case with the error it ends in. */
export async function readCase(name: string, options: Partial<RoundReaderOptions> = {}) {
  const { argv, exit_code, signal, stderr } = await recordedCase(name);
  const resumed = argv.some((arg) => arg.startsWith("--resume"));
  const round = await readBytes(await recordedBytes(name), { resumed, ...options });
  const error = roundError({
    record: round.reader.record,
    cause: null,
    exit: { code: exit_code ?? 128, signal },
    cleanup: { confirmed: true, retired: 0, escalated: false, survivors: [] },
    stderrTail: stderr,
    resumed,
  });
  return { ...round, error, collected: collectUpdates(round.updates) };
}

/** One line for each update, for tables. */
export function short(update: Update): string {
  const { kind, turn } = update;
  switch (kind) {
    case "text":
    case "thinking":
      return `${turn} ${kind} ${update.messageId} ${update.delta}`;
    case "message":
      return `${turn} message ${update.messageId} ${update.text}`;
    case "text_abandoned":
      return `${turn} abandoned ${update.messageId} '${update.kept}' ${update.reason}`;
    case "tool_call":
      return `${turn} call ${update.id} ${update.name}`;
    case "tool_result":
      return `${turn} result of ${update.id} ${update.isError}`;
    case "notice":
      return `${turn} notice ${update.topic}`;
    case "retry":
      return `${turn} retry ${update.attempt} ${update.error}`;
    case "session":
      return `${turn} session ${update.model} ${update.resumed}`;
    case "result":
      return `${turn} ${
        update.followUp ? "follow-up" : "answer"
      } ${update.isError} ${update.subtype}`;
  }
}

/** What a reader that does as it is told shows in the end: one text for each message. */
export function shown(updates: readonly Update[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const update of updates) {
    if (update.kind === "text") {
      texts.set(update.messageId, (texts.get(update.messageId) ?? "") + update.delta);
    } else if (update.kind === "message") texts.set(update.messageId, update.text);
    else if (update.kind === "text_abandoned") texts.set(update.messageId, update.kept);
  }
  return texts;
}

/** A step of a message that is streamed, as 2.1.300 and later write it. */
export function step(event: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: "stream_event", event, parent_tool_use_id: null, ...more };
}

/** The start of a streamed message. */
export function starts(id: string): JsonObject {
  return step({ type: "message_start", message: { id } });
}

/** A piece of streamed text. */
export function delta(text: string, more: JsonObject = {}): JsonObject {
  return step(
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    more,
  );
}

/** A whole block of a message. */
export function block(id: string, content: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    type: "assistant",
    message: { id, model: "claude", content: [content] },
    parent_tool_use_id: null,
    ...more,
  };
}

/** A block of text. */
export function text(said: string): JsonObject {
  return { type: "text", text: said };
}
