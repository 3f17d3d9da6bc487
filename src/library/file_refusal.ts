/**
 * Faults of the place in which a thread or a turn keeps its files.
 *
 * @module
 */
import { AdapterError, messageOf, toAdapterError } from "../base/errors.ts";

/** Where their files are. */
const FOLDERS = {
  thread: "the configuration folder and the system's temporary folder",
  turn: "the system's temporary folder",
} as const;

/**
 * What the system refuses about a file is a fault of the place, not of this program: `invalid_configuration`, with what to
 * do. Anything else is what it is.
 */
export function fileRefusal(caught: unknown, whose: keyof typeof FOLDERS): AdapterError {
  const { code } = (caught ?? {}) as { readonly code?: unknown };
  if (caught instanceof AdapterError || typeof code !== "string") return toAdapterError(caught);
  return new AdapterError(
    "invalid_configuration",
    `A file of the ${whose} could not be used: ${
      messageOf(caught)
    }; make room, and give access to ${FOLDERS[whose]}`,
  );
}
