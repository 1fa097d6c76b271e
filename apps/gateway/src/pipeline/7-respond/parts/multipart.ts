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

/** Comes before the first part. */
export const multipartDelimiter = `\r\n--${boundary}`;

/**
 * A part, as Apollo Router frames it: the delimiter of the next one comes with it, so that a client knows at once that the
 * part is complete.
 *
 * RFC 2046 §5.1.1.
 */
export function multipartPart(json: string, isLast: boolean): string {
  return `\r\ncontent-type: application/json\r\n\r\n${json}${multipartDelimiter}${isLast ? '--\r\n' : ''}`;
}

/** Frames the parts of a deferred result. */
export async function* framed(parts: AsyncIterable<Part>): AsyncGenerator<string, void, void> {
  let delimiter = multipartDelimiter;
  for await (const { json, isLast } of parts) {
    yield `${delimiter}${multipartPart(json, isLast)}`;
    delimiter = '';
  }
}
