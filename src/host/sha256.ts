/**
 * SHA-256, at once: the web's own digest is a promise, and an event is judged in one step.
 *
 * @module
 */
import type { Sha256 } from "../supervision/ports.ts";

/** Lower-case hexadecimal SHA-256 of UTF-8 text. */
export const sha256: Sha256 = (text) =>
  nodeCrypto().createHash("sha256").update(text).digest("hex");

interface Crypto {
  createHash(name: "sha256"): Hash;
}

interface Hash {
  update(text: string): Hash;
  digest(encoding: "hex"): string;
}

/** Loaded when somebody asks for a digest: it takes 20 ms (measured), and most programs that start never do. */
function nodeCrypto(): Crypto {
  const { process } = globalThis as unknown as {
    readonly process: { getBuiltinModule(name: string): unknown };
  };
  return process.getBuiltinModule("node:crypto") as Crypto;
}
