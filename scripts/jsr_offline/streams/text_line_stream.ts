/**
 * Stand-in for `jsr:@std/streams/text-line-stream`, used only where JSR cannot be reached.
 *
 * Behaves as the original: lines end at LF or CRLF, the ending is removed, with `allowCR` a lone CR
 * ends a line too, and an unterminated last line is emitted if it is not empty. Linear time: text
 * without a line ending is kept in pieces and joined once.
 *
 * @module
 */

/** Options of {@linkcode TextLineStream}. */
export interface TextLineStreamOptions {
  /** Treat a lone carriage return as a line ending. Default: `false`. */
  allowCR?: boolean;
}

/** Splits a stream of text into lines. */
export class TextLineStream extends TransformStream<string, string> {
  /** Makes a line splitter; see {@linkcode TextLineStreamOptions}. */
  constructor(options: TextLineStreamOptions = {}) {
    const allowCR = options.allowCR ?? false;
    const pieces: string[] = [];
    let heldCR = false; // the last piece ends in CR, and only the next character says what it is

    const take = (tail: string): string => {
      if (pieces.length === 0) return tail;
      pieces.push(tail);
      const line = pieces.join("");
      pieces.length = 0;
      return line;
    };
    const emit = (line: string, controller: TransformStreamDefaultController<string>): void => {
      controller.enqueue(line.endsWith("\r") ? line.slice(0, -1) : line);
    };

    super({
      transform(chunk, controller) {
        if (chunk.length === 0) return;
        let start = 0;
        if (allowCR && heldCR && chunk[0] !== "\n") emit(take(""), controller);
        heldCR = false;
        for (;;) {
          const lf = chunk.indexOf("\n", start);
          if (allowCR) {
            const cr = chunk.indexOf("\r", start);
            if (cr !== -1 && cr !== chunk.length - 1 && (lf === -1 || cr < lf - 1)) {
              controller.enqueue(take(chunk.slice(start, cr)));
              start = cr + 1;
              continue;
            }
          }
          if (lf === -1) break;
          emit(take(chunk.slice(start, lf)), controller);
          start = lf + 1;
        }
        if (start < chunk.length) {
          pieces.push(start === 0 ? chunk : chunk.slice(start));
          heldCR = allowCR && chunk.endsWith("\r");
        }
      },
      flush(controller) {
        if (pieces.length === 0) return;
        const line = take("");
        controller.enqueue(allowCR && line.endsWith("\r") ? line.slice(0, -1) : line);
      },
    });
  }
}
