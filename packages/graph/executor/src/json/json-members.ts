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
export function jsonMembers(text: Buffer, range: JsonRange): ReadonlyMap<string, JsonRange> | undefined {
  const members = new Map<string, JsonRange>();
  const isWhole = readItems(text, range, [openBrace, closeBrace], (at, end) => {
    const nameEnd = text[at] === quote ? endOfString(text, at, end) : end;
    const afterName = skipSpace(text, nameEnd, end);
    if (afterName >= end || text[afterName] !== colon) {
      return undefined;
    }
    const name = text.toString('utf8', at + 1, nameEnd - 1);
    const value = valueAt(text, skipSpace(text, afterName + 1, end), { end, close: closeBrace });
    if (value === undefined || members.has(name)) {
      return undefined;
    }
    members.set(name, value.range);
    return value.after;
  });
  return isWhole ? members : undefined;
}

/** Finds the items of the array in a range of a JSON text, like `jsonMembers`. */
export function jsonItems(text: Buffer, range: JsonRange): readonly JsonRange[] | undefined {
  const items: JsonRange[] = [];
  const isWhole = readItems(text, range, [openBracket, closeBracket], (at, end) => {
    const value = valueAt(text, at, { end, close: closeBracket });
    if (value !== undefined) {
      items.push(value.range);
    }
    return value?.after;
  });
  return isWhole ? items : undefined;
}

/**
 * Reads what is between two brackets, separated by commas, and nothing else.
 *
 * @param read reads one, and returns the position of the comma or the bracket after it; undefined where there is none
 */
function readItems(
  text: Buffer,
  { start, end }: JsonRange,
  [open, close]: readonly [number, number],
  read: (at: number, end: number) => number | undefined,
): boolean {
  let at = skipSpace(text, start, end);
  if (text[at] !== open) {
    return false;
  }
  at = skipSpace(text, at + 1, end);
  if (text[at] === close) {
    return skipSpace(text, at + 1, end) === end;
  }
  for (;;) {
    const after = read(at, end);
    if (after === undefined) {
      return false;
    }
    if (text[after] === close) {
      return skipSpace(text, after + 1, end) === end;
    }
    at = skipSpace(text, after + 1, end);
  }
}

/** The value at a position, and the position of the comma or the bracket after it. */
function valueAt(
  text: Buffer,
  start: number,
  { end, close }: { readonly end: number; readonly close: number },
): { readonly range: JsonRange; readonly after: number } | undefined {
  const after = endOfValue(text, start, { end, close });
  return after >= end || after === start
    ? undefined
    : { range: { start, end: trimEnd(text, start, after) }, after };
}

/** The position after a value: the comma or the bracket that follows, or the end. */
function endOfValue(
  text: Buffer,
  start: number,
  { end, close }: { readonly end: number; readonly close: number },
): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const byte = text[at];
    if (byte === quote) {
      at = endOfString(text, at, end) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) {
        return byte === close ? at : end;
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
