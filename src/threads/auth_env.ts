/**
 * How a thread logs in, as changes of the CLI's environment.
 *
 * @module
 */
import { AdapterError } from "../base/errors.ts";

/** Exactly one way to log in. */
export type ThreadAuth =
  & (
    /** What the environment and the configuration folder have: a login, a key, a cloud provider. */
    | { readonly kind: "inherit" }
    /** A token of `claude setup-token`. */
    | { readonly kind: "oauthToken"; readonly token: string }
    /** An API key. */
    | { readonly kind: "apiKey"; readonly key: string }
    /** A bearer token, for a gateway. */
    | { readonly kind: "authToken"; readonly token: string }
  )
  & {
    /** The API's address. Default: the usual one; with `inherit` the one of the environment. */
    readonly baseUrl?: string;
  };

/** Variables to take away first, and then to set. */
export interface EnvChange {
  /** Taken away first. */
  readonly remove: readonly string[];
  /** Set after that. */
  readonly set: { readonly [name: string]: string };
}

/**
 * Everything by which the CLI finds a login, an account or an address (read in the executable). Whoever names one way
 * must not get another: a provider's switch beats a key, a file or profile beats a token, and a token must not go to an
 * address or in company of headers that were meant for another one.
 */
export const AUTH_VARIABLES: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_CONFIG_DIR",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_FEDERATION_RULE_ID",
  "ANTHROPIC_IDENTITY_TOKEN",
  "ANTHROPIC_IDENTITY_TOKEN_FILE",
  "ANTHROPIC_ORGANIZATION_ID",
  "ANTHROPIC_PROFILE",
  "ANTHROPIC_SCOPE",
  "ANTHROPIC_SERVICE_ACCOUNT_ID",
  "ANTHROPIC_UNIX_SOCKET",
  "ANTHROPIC_WORKSPACE_ID",
  "CLAUDE_CODE_API_BASE_URL",
  "CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR",
  "CLAUDE_CODE_CUSTOM_OAUTH_URL",
  "CLAUDE_CODE_HOST_AUTH_ENV_VAR",
  "CLAUDE_CODE_HOST_CREDS_FILE",
  "CLAUDE_CODE_OAUTH_CLIENT_ID",
  "CLAUDE_CODE_OAUTH_REFRESH_TOKEN",
  "CLAUDE_CODE_OAUTH_SCOPES",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR",
  "CLAUDE_CODE_PROVIDER_MANAGED_BY_HOST",
  "CLAUDE_CODE_SESSION_ACCESS_TOKEN",
  "CLAUDE_CODE_USE_ANTHROPIC_AWS",
  "CLAUDE_CODE_USE_ANTHROPIC_GOOGLE_CLOUD",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_GATEWAY",
  "CLAUDE_CODE_USE_MANTLE",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_WEBSOCKET_AUTH_FILE_DESCRIPTOR",
  "CLAUDE_LOCAL_OAUTH_API_BASE",
  "CLAUDE_SESSION_INGRESS_TOKEN_FILE",
  "CLAUDE_TRUSTED_DEVICE_TOKEN",
];

const KINDS = ["inherit", "oauthToken", "apiKey", "authToken"];
const MEMBERS: { readonly [kind: string]: readonly string[] } = {
  inherit: [],
  oauthToken: ["token"],
  apiKey: ["key"],
  authToken: ["token"],
};

/** Visible ASCII: anything else cannot stand in a header. */
const SECRET = /^[\x21-\x7e]{1,8192}$/;

/**
 * The change of the environment for one way to log in. A login that is stored in the configuration folder is not taken
 * away by it, and a given key or token comes before it.
 *
 * @throws {AdapterError} `invalid_arguments`; the message never holds a secret.
 */
export function authEnv(auth: ThreadAuth): EnvChange {
  const given = auth as unknown as Partial<Record<string, unknown>>;
  const kind = String(given?.kind);
  if (!KINDS.includes(kind)) refuse(`'kind' must be one of ${KINDS.join(", ")}`);
  const known = ["kind", "baseUrl", ...MEMBERS[kind]!];
  if (Object.keys(given).some((name) => !known.includes(name))) {
    refuse(`the kind ${kind} takes only ${known.join(", ")}: give exactly one way to log in`);
  }
  const url: EnvChange["set"] = given.baseUrl === undefined
    ? {}
    : { ANTHROPIC_BASE_URL: baseUrl(given.baseUrl) };
  switch (kind) {
    case "inherit":
      return { remove: [], set: url };
    case "oauthToken":
      return {
        remove: AUTH_VARIABLES,
        set: { ...url, CLAUDE_CODE_OAUTH_TOKEN: secret(given.token) },
      };
    case "apiKey":
      return { remove: AUTH_VARIABLES, set: { ...url, ANTHROPIC_API_KEY: secret(given.key) } };
    default:
      return { remove: AUTH_VARIABLES, set: { ...url, ANTHROPIC_AUTH_TOKEN: secret(given.token) } };
  }
}

function secret(value: unknown): string {
  if (typeof value === "string" && SECRET.test(value)) return value;
  return refuse("the key or token must be 1 to 8,192 visible ASCII characters, without spaces");
}

function baseUrl(value: unknown): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (
    url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== ""
  ) {
    return refuse("'baseUrl' must be an http or https address without a name and password in it");
  }
  return value as string;
}

function refuse(reason: string): never {
  throw new AdapterError("invalid_arguments", `Invalid argument 'auth': ${reason}`);
}
