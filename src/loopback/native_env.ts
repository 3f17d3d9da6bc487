/** The clean environment the real CLI runs in against the loopback model. */

/** What differs between runs. */
export interface NativeEnvOptions {
  /** A fresh folder; becomes HOME, with the CLI's state in `<home>/.claude` and its temporary files in `<home>/tmp`. */
  readonly home: string;
  /** The loopback model's base URL. */
  readonly url: string;
  /**
   * The made-up key; undefined leaves it out, so the CLI is not logged in.
   *
   * @default {"sk-ant-made-up"}
   */
  readonly apiKey?: string | undefined;
  /** More variables; they win. */
  readonly extra?: Readonly<Record<string, string>>;
}

/**
 * Every variable the real CLI gets. Use it with `clearEnv: true`, so nothing of the machine (a real key, a
 * proxy, a nested session's marks) reaches it.
 *
 * @param options What differs between runs.
 * @returns The whole environment.
 */
export function nativeEnv(options: NativeEnvOptions): Record<string, string> {
  const apiKey = "apiKey" in options ? options.apiKey : "sk-ant-made-up";
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/local/bin:/usr/bin:/bin",
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    HOME: options.home,
    CLAUDE_CONFIG_DIR: `${options.home}/.claude`,
    // Else it leaves folders under /tmp/claude-<uid> behind (measured); it makes this one itself.
    CLAUDE_CODE_TMPDIR: `${options.home}/tmp`,
    ANTHROPIC_BASE_URL: options.url,
    ...(apiKey === undefined ? {} : { ANTHROPIC_API_KEY: apiKey }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    // Root is refused some modes otherwise (measured), and test machines often are root.
    IS_SANDBOX: "1",
    ...options.extra,
  };
}
