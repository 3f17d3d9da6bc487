/** Asks the loopback model what the CLI would ask. */

/** A message request with one user text. */
export function ask(url: string, said: unknown, stream = true): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "secret", "user-agent": "test" },
    body: JSON.stringify({
      model: "some-model",
      stream,
      messages: [{ role: "user", content: said }],
    }),
  });
}

/** One server-sent event, parsed. */
export interface SentEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: Record<string, unknown>;
  readonly delta?: Record<string, unknown>;
  readonly error?: Record<string, unknown>;
  readonly content_block?: Record<string, unknown>;
  readonly usage?: Record<string, unknown>;
}

/** Parses a whole event stream, checking that the event name and the data agree. */
export function parseEvents(body: string): SentEvent[] {
  return body.split("\n\n").filter((part) => part !== "").map((part) => {
    const [name, data] = part.split("\n");
    const event = JSON.parse(data!.slice("data: ".length)) as SentEvent;
    if (name !== `event: ${event.type}`) throw new Error(`mismatched event: ${part}`);
    return event;
  });
}

/** Reads a body until the connection ends; says whether it ended as it should. */
export async function readUntilEnd(response: Response): Promise<{ text: string; whole: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const part of response.body!) text += decoder.decode(part, { stream: true });
    return { text, whole: true };
  } catch {
    return { text, whole: false };
  }
}
