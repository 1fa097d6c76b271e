import type { Tape } from './tape.ts';
import { byte } from './tape.ts';
import { bailOut } from './fast-path-bailout.ts';
import { isWhiteSpace } from './tokens.ts';

/** The length of the prefix that shows whether a subgraph writes white space between tokens. */
const startLength = '{"data": '.length;

/**
 * Removes insignificant white space from a response that was just loaded, if its start has some: indented, or
 * with a space after colons and commas, as Python's `json.dumps` writes it. The tokens stay the same, whether
 * or not they are JSON.
 *
 * RFC 8259 §2: white space is allowed before and after each of the six structural characters, and nowhere
 * else.
 */
export function stripInsignificantWhitespace(tape: Tape): void {
  const { bytes, responseStart, responseEnd } = tape;
  if (!hasWhiteSpace(bytes, responseStart, Math.min(responseStart + startLength, responseEnd))) {
    return;
  }
  let written = responseStart;
  let position = responseStart;
  /** The part before; at the start, as good as one that white space may follow. */
  let before: number = byte.comma;
  while (position < responseEnd) {
    const next = bytes[position] ?? byte.nothing;
    if (isWhiteSpace(next)) {
      position = endOfWhiteSpace(bytes, position);
      // Without what is between them, two values could be one.
      if (position < responseEnd && !opens(before) && !closes(bytes[position])) {
        bailOut();
      }
      continue;
    }
    bytes[written] = next;
    written += 1;
    position += 1;
    before = next;
    if (next === byte.quote) {
      const end = endOfString(bytes, position, responseEnd);
      while (position < end) {
        bytes[written] = bytes[position] ?? byte.nothing;
        written += 1;
        position += 1;
      }
    }
  }
  tape.shrinkResponse(written);
}

function hasWhiteSpace(bytes: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) {
    if (isWhiteSpace(bytes[position])) {
      return true;
    }
  }
  return false;
}

function endOfWhiteSpace(bytes: Buffer, start: number): number {
  let position = start;
  while (isWhiteSpace(bytes[position])) {
    position += 1;
  }
  return position;
}

/** Behind the quote that ends a string, whatever is in it. */
function endOfString(bytes: Buffer, start: number, responseEnd: number): number {
  for (let position = start; position < responseEnd; position += 1) {
    const next = bytes[position];
    if (next === byte.quote) {
      return position + 1;
    }
    if (next === byte.backslash) {
      position += 1;
    }
  }
  return bailOut();
}

/** True when white space may follow. */
function opens(part: number): boolean {
  return part === byte.comma || part === byte.colon || part === byte.openBrace || part === byte.openBracket;
}

/** True when white space may precede it. */
function closes(part: number | undefined): boolean {
  return part === byte.comma || part === byte.colon || part === byte.closeBrace || part === byte.closeBracket;
}
