/**
 * Whether a log-in is likely, from the names of variables and folders alone: no value and no credential is read.
 *
 * @module
 */
import { type Finding, ok, warning } from "./finding.ts";

/** The variables that carry a credential, and what each is. */
const CREDENTIALS: { readonly [name: string]: string } = {
  ANTHROPIC_API_KEY: "an API key",
  ANTHROPIC_AUTH_TOKEN: "a bearer token",
  CLAUDE_CODE_OAUTH_TOKEN: "a long-lived log-in",
};
/** The variables that choose another provider, which has its own credentials. */
const PROVIDERS: readonly string[] = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
];

/** What is known without reading anything. */
export interface LoginSigns {
  /** The names of the variables that are set and not empty. */
  readonly set: ReadonlySet<string>;
  /** The CLI's configuration folder, and whether it exists; `null` when there is no home. */
  readonly folder: string | null;
  readonly folderExists: boolean;
}

/** The finding. Only the CLI itself knows whether a log-in still works. */
export function judgeLogin({ set, folder, folderExists }: LoginSigns): Finding {
  const provider = PROVIDERS.find((name) => set.has(name));
  const named = Object.keys(CREDENTIALS).filter((name) => set.has(name));
  if (provider !== undefined) {
    return ok("login", `${provider} is set: that provider's own log-in counts`);
  }
  if (named.length > 1) {
    return warning(
      "login",
      `${named.join(" and ")} are set, and the CLI uses only one of them`,
      `unset ${named.slice(1).join(" and ")}, or whichever is not meant`,
    );
  }
  const [only] = named;
  if (only !== undefined) {
    return ok("login", `${only} is set (${CREDENTIALS[only]}); it was not read`);
  }
  if (folderExists) {
    return ok("login", `no variable is set; the CLI's own log-in counts, kept with ${folder}`);
  }
  return warning(
    "login",
    folder === null
      ? "no variable is set, and there is no home to keep a log-in in"
      : `no variable is set, and ${folder} does not exist, so nobody has logged in here yet`,
    "run 'claude' in a terminal and log in with /login, or set ANTHROPIC_API_KEY",
  );
}
