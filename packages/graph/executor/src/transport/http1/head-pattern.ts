import { readNames } from './response-head.ts';
import type { ResponseHead } from './response-head.ts';

/** A read head, and the bytes that its next occurrence has. */
export interface HeadPattern {
  readonly head: ResponseHead;
  /** The bytes of the head with the empty line at its end, but for the values that may differ: each is a mark. */
  readonly bytes: Uint8Array;
}

export interface MatchedHead {
  readonly head: ResponseHead;
  /** The position after the empty line at its end. */
  readonly end: number;
}

/**
 * Bytes that no head contains. The first marks the value of a field that is not read, the second the length of the
 * body.
 */
const anyValue = 0x00;
const anyLength = 0x01;
const fields = /(\r\n([^:\r\n]+):)([^\r\n]*)/g;
const zero = 0x30;
/** As `parseResponseHead` accepts them. */
const maxLengthDigits = 15;

/**
 * The pattern of a head that was just read: most responses of a subgraph differ only in `date`, in `content-length`
 * and in fields that nothing reads. Undefined where the length does not decide the framing alone.
 */
export function patternOf(text: string, head: ResponseHead): HeadPattern | undefined {
  if (head.status !== 200 || typeof head.framing !== 'number') {
    return undefined;
  }
  const pattern = text.replaceAll(fields, (line: string, start: string, name: string, value: string) => {
    const lowerName = name.toLowerCase();
    if (lowerName === 'content-length') {
      return start + value.replace(/\d+/, String.fromCodePoint(anyLength));
    }
    return readNames.has(lowerName) ? line : start + String.fromCodePoint(anyValue);
  });
  // A copy with memory of its own: a small buffer would keep the whole pool of buffers that it is part of.
  return { head, bytes: new Uint8Array(Buffer.from(`${pattern}\r\n\r\n`, 'latin1')) };
}

/** Reads a head that has this pattern, as `parseResponseHead` would. */
export function matchHead(
  { head, bytes: pattern }: HeadPattern,
  bytes: Buffer,
  position = 0,
): MatchedHead | undefined {
  let end = position;
  let length = 0;
  for (let index = 0; index < pattern.length; index += 1) {
    const expected = pattern[index];
    if (expected === anyValue) {
      while (isInValue(bytes[end])) {
        end += 1;
      }
    } else if (expected === anyLength) {
      const start = end;
      for (let digit = digitAt(bytes, end); digit >= 0; digit = digitAt(bytes, end)) {
        length = length * 10 + digit;
        end += 1;
      }
      if (end === start || end - start > maxLengthDigits) {
        return undefined;
      }
    } else if (bytes[end] === expected) {
      end += 1;
    } else {
      return undefined;
    }
  }
  return { head: length === head.framing ? head : { ...head, framing: length }, end };
}

/** As in `fieldLine`. */
function isInValue(value: number | undefined): boolean {
  return value !== undefined && (value > 0x1f ? value !== 0x7f : value === 0x09);
}

/** Below zero for other bytes. */
function digitAt(bytes: Buffer, position: number): number {
  const digit = (bytes[position] ?? 0) - zero;
  return digit > 9 ? -1 : digit;
}
