const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const lastWhiteSpace = 0x20;

/** The bytes of a JSON value, unchecked. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

export function wholeOf(text: Buffer): JsonRange {
  return { start: 0, end: text.length };
}

/**
 * Finds the members of the object in a range of a JSON text, without parsing their values: digits stay exact, and most
 * values are parsed elsewhere. Undefined where the range has no object in it, or a repeated name. A value may still not be
 * JSON.
 */
export function jsonMembers(
  text: Buffer,
  { start, end }: JsonRange,
): ReadonlyMap<string, JsonRange> | undefined {
  const members = new Map<string, JsonRange>();
  let at = skipSpace(text, start, end);
  if (text[at] !== openBrace) {
    return undefined;
  }
  at = skipSpace(text, at + 1, end);
  if (text[at] === closeBrace) {
    return skipSpace(text, at + 1, end) === end ? members : undefined;
  }
  for (;;) {
    const nameEnd = text[at] === quote ? endOfString(text, at, end) : end;
    const afterName = skipSpace(text, nameEnd, end);
    if (afterName >= end || text[afterName] !== colon) {
      return undefined;
    }
    const name = text.toString('utf8', at + 1, nameEnd - 1);
    const valueStart = skipSpace(text, afterName + 1, end);
    const valueEnd = endOfValue(text, valueStart, end);
    if (valueEnd >= end || valueEnd === valueStart || members.has(name)) {
      return undefined;
    }
    members.set(name, { start: valueStart, end: trimEnd(text, valueStart, valueEnd) });
    if (text[valueEnd] === closeBrace) {
      return skipSpace(text, valueEnd + 1, end) === end ? members : undefined;
    }
    at = skipSpace(text, valueEnd + 1, end);
  }
}

/** The position after a value: the comma or the bracket that follows, or the end. */
function endOfValue(text: Buffer, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const byte = text[at];
    if (byte === quote) {
      at = endOfString(text, at, end) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) {
        return byte === closeBrace ? at : end;
      }
      depth -= 1;
    } else if (byte === comma && depth === 0) {
      return at;
    }
  }
  return end;
}

/** The position after a string. */
function endOfString(text: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    at = text.indexOf(quote, at);
    if (at === -1) {
      return end;
    }
    let escapes = at;
    while (text[escapes - 1] === backslash) {
      escapes -= 1;
    }
    if ((at - escapes) % 2 === 0) {
      return at + 1;
    }
  }
  return end;
}

function skipSpace(text: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && (text[at] ?? 0) <= lastWhiteSpace) {
    at += 1;
  }
  return at;
}

function trimEnd(text: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && (text[at - 1] ?? 0) <= lastWhiteSpace) {
    at -= 1;
  }
  return at;
}

/** The text in a range that holds a JSON string; undefined for another value. */
export function stringAt(text: Buffer, range: JsonRange | undefined): string | undefined {
  if (range === undefined || text[range.start] !== quote) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text.toString('utf8', range.start, range.end));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
