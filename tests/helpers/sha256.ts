/** SHA-256 for tests of the pure parts, so that they need nothing of the host layer. */
import { createHash } from "node:crypto";

/** Lower-case hexadecimal SHA-256 of UTF-8 text. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
