/**
 * Paths of the stand-ins for the native CLI under fixtures/fake_claude.
 *
 * @module
 */

/** Every behaviour; each file says in its second line what it does. */
export type FakeBehaviour =
  | "array_line"
  | "auth_error"
  | "bad_utf8"
  | "big_final"
  | "blank_lines"
  | "contradicting_results"
  | "crash_signal"
  | "double_fork_daemon"
  | "echo_args"
  | "echo_env"
  | "exit_7"
  | "flood_stderr"
  | "flood_stdout"
  | "followup_only"
  | "followup_result"
  | "fork_storm"
  | "group_child"
  | "half_line_at_end"
  | "hang_after_result"
  | "hidden_daemon"
  | "ignores_stdin"
  | "ignores_term"
  | "limit_error"
  | "lists_fds"
  | "malformed_line"
  | "no_result"
  | "ok"
  | "oversized_endless"
  | "oversized_no_newline"
  | "oversized_result"
  | "oversized_user"
  | "partial_answer"
  | "reads_stdin"
  | "result_without_newline"
  | "resume_unknown"
  | "setsid_child"
  | "slow"
  | "spawns_child_ignoring_term"
  | "stdout_shared"
  | "success_exit_1"
  | "two_results"
  | "vanishing_daemons"
  | "version_and_more"
  | "version_fails"
  | "version_floods"
  | "version_hangs"
  | "wrong_version";

/** What `--version` of a stand-in prints, newline included. */
export const FAKE_VERSION_OUTPUT = "2.1.332 (Claude Code)\n";

/** The absolute path of a stand-in. */
export function fakeClaude(behaviour: FakeBehaviour): string {
  return decodeURIComponent(
    new URL(`../../fixtures/fake_claude/${behaviour}`, import.meta.url).pathname,
  );
}
