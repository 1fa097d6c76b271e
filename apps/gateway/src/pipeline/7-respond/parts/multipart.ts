/** The boundary of Apollo Router, which some clients expect. */
const boundary = 'graphql';

/** The media type of a response in parts. */
export function multipartType(parameter: string): string {
  return `multipart/mixed;boundary="${boundary}";${parameter}`;
}

/** A part of a response, as JSON. */
export interface Part {
  readonly json: string;
  readonly isLast: boolean;
}

/**
 * Frames parts as Apollo Router does. The delimiter of the next part comes with each part, so that a client knows at
 * once that the part is complete.
 *
 * RFC 2046 §5.1.1.
 */
export async function* framed(parts: AsyncIterable<Part>): AsyncGenerator<string, void, void> {
  let delimiter = `\r\n--${boundary}`;
  for await (const { json, isLast } of parts) {
    yield `${delimiter}\r\ncontent-type: application/json\r\n\r\n${json}\r\n--${boundary}${isLast ? '--\r\n' : ''}`;
    delimiter = '';
    if (isLast) {
      return;
    }
  }
  yield `${delimiter}--\r\n`;
}
