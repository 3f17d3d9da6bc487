/**
 * The end of a byte stream, in bounded memory.
 *
 * @module
 */

/** Keeps the last bytes of everything that is pushed. */
export interface TailBuffer {
  /** Takes the next bytes; they are copied. */
  push(bytes: Uint8Array): void;
  /** The kept end as text: whole characters, invalid bytes as U+FFFD; `truncated` when bytes were dropped. */
  text(): { readonly text: string; readonly truncated: boolean };
}

/** Makes a buffer that keeps `maxBytes`; it allocates at most twice that. */
export function createTailBuffer(maxBytes: number): TailBuffer {
  // Bytes go to the end of a window of twice the size; when it is full its last half moves to the front. So
  // each byte is copied twice at most, whatever the chunk sizes are.
  let window = new Uint8Array(Math.min(1024, maxBytes * 2));
  let used = 0;
  let truncated = false;

  const keep = (wanted: number) => {
    const kept = Math.min(used, wanted);
    if (kept < used) {
      window.copyWithin(0, used - kept, used);
      truncated = true;
    }
    used = kept;
  };

  return {
    push(bytes) {
      const part = bytes.length > maxBytes ? bytes.subarray(bytes.length - maxBytes) : bytes;
      if (part.length < bytes.length) {
        truncated = true;
        used = 0;
      }
      if (used + part.length > maxBytes * 2) keep(maxBytes - part.length);
      if (used + part.length > window.length) {
        const size = Math.min(maxBytes * 2, Math.max(window.length * 2, used + part.length));
        const larger = new Uint8Array(size);
        larger.set(window.subarray(0, used));
        window = larger;
      }
      window.set(part, used);
      used += part.length;
    },
    text() {
      const cut = truncated || used > maxBytes;
      const start = Math.max(0, used - maxBytes);
      const from = cut ? skipContinuation(window.subarray(0, used), start) : start;
      return { text: new TextDecoder().decode(window.subarray(from, used)), truncated: cut };
    },
  };
}

/** Past the rest of a character whose first byte was dropped: at most three continuation bytes. */
function skipContinuation(bytes: Uint8Array, start: number): number {
  let from = start;
  while (from < bytes.length && from < start + 3 && (bytes[from]! & 0xc0) === 0x80) from += 1;
  return from;
}
