/** What the loopback model was asked, as it is logged and as scripts see it. */

/** One request the loopback model received. Keys are never kept. */
export interface LoggedRequest {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** Some headers, lower-case; never a key. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body, or undefined when there is none. */
  readonly body: MessagesBody | undefined;
}

/** As much of a Messages API body as scripts look at. */
export interface MessagesBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly messages?: readonly Message[];
  readonly tools?: readonly { readonly name: string }[];
  readonly [key: string]: unknown;
}

/** One message of a conversation. */
export interface Message {
  readonly role: string;
  readonly content: string | readonly ContentBlock[];
}

/** One content block of a message. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly content?: string | readonly ContentBlock[];
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly [key: string]: unknown;
}

const KEPT_HEADERS = [
  "anthropic-beta",
  "anthropic-version",
  "content-type",
  "user-agent",
  "x-claude-code-session-id",
  "x-stainless-retry-count",
];

/**
 * Reads a request for the log.
 *
 * @param request The HTTP request.
 * @returns What is kept of it.
 * @throws {SyntaxError} When a body is there that is not JSON.
 */
export async function readRequest(request: Request): Promise<LoggedRequest> {
  const headers: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const raw = await request.text();
  const body: MessagesBody | undefined = raw === "" ? undefined : JSON.parse(raw);
  return { method: request.method, path: new URL(request.url).pathname, headers, body };
}

/** The text of a block or message, tool results included. */
export function contentText(content: string | readonly ContentBlock[] | undefined): string {
  if (content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? contentText(block.content)).join("\n");
}

/** All text of the last user message: what the model is being told now. */
export function lastUserText(request: LoggedRequest): string {
  return contentText(lastUser(request)?.content);
}

/** The tool results in the last user message. */
export function lastToolResults(request: LoggedRequest): readonly ContentBlock[] {
  const content = lastUser(request)?.content;
  if (content === undefined || typeof content === "string") return [];
  return content.filter((block) => block.type === "tool_result");
}

function lastUser(request: LoggedRequest): Message | undefined {
  return request.body?.messages?.findLast((message) => message.role === "user");
}
