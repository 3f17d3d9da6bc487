/**
 * What goes wrong with the files of a thread, as an error with a code.
 *
 * @module
 */
import { AdapterError, messageOf, toAdapterError } from "../base/errors.ts";

/** What the system refuses about a file is a fault of the place, not of this program. */
export function asThreadError(caught: unknown): AdapterError {
  const { code } = (caught ?? {}) as { readonly code?: unknown };
  const isDenied = caught instanceof Deno.errors.NotCapable;
  if (caught instanceof AdapterError || (typeof code !== "string" && !isDenied)) {
    return toAdapterError(caught);
  }
  return new AdapterError(
    "invalid_configuration",
    `A file of the thread could not be used: ${
      messageOf(caught)
    }; make room, and give access to the configuration folder and the system's temporary folder`,
  );
}
