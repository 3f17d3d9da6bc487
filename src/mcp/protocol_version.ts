/**
 * Which protocol date is spoken.
 *
 * @module
 */

/** The protocol dates this server implements, oldest first. */
export const PROTOCOL_VERSIONS: readonly string[] = ["2024-11-05", "2025-03-26", "2025-06-18"];

/** What is offered to a peer that proposes anything else. */
export const NEWEST_PROTOCOL_VERSION = "2025-06-18";

/** The date to answer with: the proposed one when it is implemented, else the newest. */
export function negotiateVersion(proposed: string): string {
  return PROTOCOL_VERSIONS.includes(proposed) ? proposed : NEWEST_PROTOCOL_VERSION;
}
