/**
 * Who may speak to the bridge: every request is looked at before anything of it is read. Pure.
 *
 * @module
 */

/** What a request has to bring. */
export interface Door {
  /** `127.0.0.1` with its port. */
  readonly host: string;
  /** The path, which nobody can guess. */
  readonly path: string;
  /** The whole `Authorization` header. */
  readonly authorization: string;
}

/** A refusal. */
export interface Refusal {
  /** The HTTP status. */
  readonly status: number;
  /** The body, as JSON. */
  readonly body: { readonly error: string; readonly error_description: string };
  /** More headers. */
  readonly headers: { readonly [name: string]: string };
}

/**
 * The refusal of a request, or `null` when it may come in.
 *
 * A browser that was led here by a name (DNS rebinding) brings that name as its host, and an origin; the CLI brings
 * neither. Whoever only guesses the port sees a server on which nothing is to be found: a plain 404, which clients that
 * ask for OAuth metadata take for "there is none".
 */
export function refusal(request: Pick<Request, "url" | "headers">, door: Door): Refusal | null {
  const { headers } = request;
  if (headers.get("host") !== door.host) {
    return refuse(403, "forbidden", "This host name is not served here");
  }
  if (headers.get("origin") !== null) {
    return refuse(403, "forbidden", "Requests of web pages are not served here");
  }
  const path = URL.parse(request.url)?.pathname ?? "";
  if (!isSame(path, door.path)) return refuse(404, "not_found", "There is nothing at this address");
  if (!isSame(headers.get("authorization") ?? "", door.authorization)) {
    return refuse(401, "unauthorized", "The bearer token is missing or wrong");
  }
  return null;
}

/** Compares in a time that depends on the length of what was given only, not on where the two differ. */
export function isSame(given: string, wanted: string): boolean {
  let difference = given.length ^ wanted.length;
  for (let i = 0; i < given.length; i++) {
    difference |= given.charCodeAt(i) ^ wanted.charCodeAt(i % wanted.length);
  }
  return difference === 0;
}

function refuse(status: number, error: string, description: string): Refusal {
  const headers: Refusal["headers"] = status === 401 ? { "www-authenticate": "Bearer" } : {};
  return { status, body: { error, error_description: description }, headers };
}
