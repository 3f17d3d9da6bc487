/** The argument that gives this program the role of a supervisor. */
export const SUPERVISE_ROLE = "supervise";
