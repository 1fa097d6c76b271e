import { isExactNumber } from './exact-number.ts';

/** Limits on a JSON text, counted before it is parsed. */
export interface JsonBounds {
  /** The deepest nesting of arrays and objects. */
  readonly maxDepth: number;
  /** Members of objects and items of arrays. */
  readonly maxValues: number;
  /** Different names of members. Default: no limit. */
  readonly maxNames?: number;
}

export interface JsonScan {
  /** The first bound that is exceeded. */
  readonly exceeded: keyof JsonBounds | undefined;
  /** The start and the end of each number of which a double would lose something. */
  readonly exactNumbers: readonly number[];
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** The shortest member of an object, with the comma after it: `"":0,` */
const shortestMember = 5;
/** The number of digits that a double keeps, whichever they are. */
const sureDigits = 15;

/**
 * Reads each character outside strings once. Whether the text is JSON is for its parser to say.
 *
 * `JSON.parse` takes a hundred times as long for brackets and distinct names as for a string of the same length, and
 * readers of its result recurse for each level.
 */
export function scanJson(text: string, { maxDepth, maxValues, maxNames = Infinity }: JsonBounds): JsonScan {
  // A text that is too short for so many names is not read for them.
  const names = text.length > maxNames * shortestMember ? new Set<string>() : undefined;
  let depth = 0;
  let values = 1;
  const exactNumbers: number[] = [];
  let stringStart = 0;
  let stringEnd = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      stringStart = index;
      index = endOfString(text, index);
      stringEnd = index;
    } else if ((character >= zero && character <= nine) || character === minus) {
      const end = endOfNumber(text, index + 1);
      if (mayLose(text, index, end) && isExactNumber(text.slice(index, end))) {
        exactNumbers.push(index, end);
      }
      index = end - 1;
    } else if (character === comma) {
      values += 1;
    } else if (character === openBracket || character === openBrace) {
      depth += 1;
      values += 1;
    } else if (character === closeBracket || character === closeBrace) {
      depth -= 1;
    } else if (character === colon) {
      names?.add(text.slice(stringStart, stringEnd));
    }
    if (depth > maxDepth || values > maxValues || (names !== undefined && names.size > maxNames)) {
      const exceeded = depth > maxDepth ? 'maxDepth' : values > maxValues ? 'maxValues' : 'maxNames';
      return { exceeded, exactNumbers };
    }
  }
  return { exceeded: undefined, exactNumbers };
}

function endOfNumber(text: string, start: number): number {
  let end = start;
  while (isInNumber(text.charCodeAt(end))) {
    end += 1;
  }
  return end;
}

/** Digits, `+`, `-`, `.`, `e`, `E`: NaN, at the end of the text, is none of them. */
function isInNumber(character: number): boolean {
  return (
    (character >= zero && character <= nine) ||
    character === 0x2e ||
    character === 0x65 ||
    character === 0x45 ||
    character === minus ||
    character === 0x2b
  );
}

/** False for the short integers that most numbers are. */
function mayLose(text: string, start: number, end: number): boolean {
  if (end - start > sureDigits || text.charCodeAt(start) === minus) {
    return true;
  }
  for (let index = start; index < end; index += 1) {
    const character = text.charCodeAt(index);
    if (character < zero || character > nine) {
      return true;
    }
  }
  return false;
}

/**
 * The end of the string that starts here; the end of the text for an unterminated one. A search for the quote is
 * fastest, unless the string has escaped ones: then each character is read, as a search for each of many takes several
 * times as long.
 */
function endOfString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  if (end === -1) {
    return text.length;
  }
  return isEscaped(text, end) ? endOfEscaped(text, end + 1) : end;
}

/** The end of a string that goes on at an index, not within an escape. */
function endOfEscaped(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      return index;
    }
    if (character === backslash) {
      index += 1;
    }
  }
  return text.length;
}

function isEscaped(text: string, index: number): boolean {
  let before = index - 1;
  while (text.charCodeAt(before) === backslash) {
    before -= 1;
  }
  return (index - 1 - before) % 2 === 1;
}
