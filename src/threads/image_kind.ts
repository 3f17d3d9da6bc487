/**
 * What kind of picture some bytes are, by their first ones.
 *
 * @module
 */

/** Pictures that go to the model. */
export type ImageMediaType = "image/png" | "image/jpeg";

const KINDS: readonly { readonly name: string; readonly starts: readonly number[] }[] = [
  { name: "image/png", starts: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { name: "image/jpeg", starts: [0xff, 0xd8, 0xff] },
  { name: "image/gif", starts: [0x47, 0x49, 0x46, 0x38] },
  { name: "image/bmp", starts: [0x42, 0x4d] },
  { name: "image/tiff", starts: [0x49, 0x49, 0x2a, 0x00] },
  { name: "image/tiff", starts: [0x4d, 0x4d, 0x00, 0x2a] },
  { name: "application/pdf", starts: [0x25, 0x50, 0x44, 0x46] },
  { name: "a RIFF file such as image/webp", starts: [0x52, 0x49, 0x46, 0x46] },
];

/** The kind by its name, or `null` when the bytes are of none that is known here. */
export function imageKind(bytes: Uint8Array): string | null {
  const kind = KINDS.find(({ starts }) => starts.every((byte, i) => bytes[i] === byte));
  return kind?.name ?? null;
}
