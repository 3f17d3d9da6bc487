/**
 * SHA-256, at once: the web's own digest is a promise, and an event is judged in one step.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Sha256 } from "../supervision/ports.ts";

/** Lower-case hexadecimal SHA-256 of UTF-8 text. */
export const sha256: Sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");
