import type { JsonLimits } from '../../config/http-config.ts';
import { requestError } from '../../errors/request-error.ts';

/**
 * Parses JSON of a request. Counts before parsing: `JSON.parse` takes a hundred times as long for brackets and
 * distinct names as for a string of the same length, and readers of its result recurse for each level.
 *
 * @param what names the text in a message
 * @throws {RequestError} BAD_REQUEST where it is not valid, or over a limit
 */
export function parseJson(text: string, what: string, limits: JsonLimits): unknown {
  checkJsonSize(text, what, limits);
  try {
    return JSON.parse(text);
  } catch {
    throw requestError('BAD_REQUEST', `${what} is not valid JSON`);
  }
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Reads each character outside strings once. A text that is too short to exceed a limit is not read. */
function checkJsonSize(text: string, what: string, { maxDepth, maxValues }: JsonLimits): void {
  if (text.length <= Math.min(2 * maxDepth, maxValues)) {
    return;
  }
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === quote) {
      index = endOfString(text, index);
    } else if (character === comma) {
      values += 1;
    } else if (character === openBracket || character === openBrace) {
      depth += 1;
      values += 1;
    } else if (character === closeBracket || character === closeBrace) {
      depth -= 1;
    }
    if (depth > maxDepth) {
      throw requestError('BAD_REQUEST', `${what} nests more than ${maxDepth} arrays and objects`);
    }
    if (values > maxValues) {
      throw requestError('BAD_REQUEST', `${what} has more than ${maxValues} values`);
    }
  }
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
