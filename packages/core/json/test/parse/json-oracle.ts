import { DecimalNumber } from '@meridian/json';
import type { ExactJson } from '@meridian/json';

/**
 * A slow second opinion: what `parseExactJson` should make of a text is what the built-in reader makes of it, once
 * number tokens are hidden from it in strings, minus what it lets pass and `parseExactJson` refuses. It has a fault of
 * its own: after objects with a key `\`, V8 (seen in Node 24.21) takes the key `"` of a like object for that one.
 */
export function judge(text: string, maxDepth = 32): { readonly value: ExactJson } | 'refused' {
  try {
    JSON.parse(text);
  } catch {
    return 'refused';
  }
  const tokens = text.match(token) ?? [];
  if (nestingOf(tokens) > maxDepth || hasDuplicateKeys(tokens) || tokens.some(isRefusedToken)) {
    return 'refused';
  }
  // Every string now starts with a mark, so that no key is an array index, which objects would put first, or
  // `__proto__`.
  const marked = text.replace(token, (each) => {
    if (isString(each)) {
      return `"${stringMark}${each.slice(1)}`;
    }
    return isNumber(each) ? `"${numberMark}${each}"` : each;
  });
  return { value: unmark(JSON.parse(marked)) };
}

const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{}:]/g;
const stringMark = 's';
const numberMark = 'n';

function nestingOf(tokens: readonly string[]): number {
  let depth = 0;
  let deepest = 0;
  for (const each of tokens) {
    depth += (each === '[' || each === '{' ? 1 : 0) - (each === ']' || each === '}' ? 1 : 0);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function hasDuplicateKeys(tokens: readonly string[]): boolean {
  const keysOfOpenValues: Set<unknown>[] = [];
  return tokens.some((each, index) => {
    if (each === '[' || each === '{') {
      keysOfOpenValues.push(new Set());
    } else if (each === ']' || each === '}') {
      keysOfOpenValues.pop();
    } else if (tokens[index + 1] === ':') {
      const keys = keysOfOpenValues.at(-1);
      const key: unknown = JSON.parse(each);
      const isDuplicate = keys?.has(key) ?? false;
      keys?.add(key);
      return isDuplicate;
    }
    return false;
  });
}

function isRefusedToken(each: string): boolean {
  if (isString(each)) {
    return !String(JSON.parse(each)).isWellFormed();
  }
  return isInteger(each) && (each === '-0' || BigInt.asIntN(64, BigInt(each)) !== BigInt(each));
}

function unmark(value: unknown): ExactJson {
  if (typeof value === 'string') {
    return value.startsWith(numberMark) ? exactNumber(value.slice(1)) : value.slice(1);
  }
  if (Array.isArray(value)) {
    return value.map(unmark);
  }
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, member]) => [key.slice(1), unmark(member)]));
  }
  if (typeof value === 'boolean' || value === null) {
    return value;
  }
  throw new TypeError('JSON.parse returned a number, though none was left in the text');
}

function exactNumber(numberText: string): bigint | DecimalNumber {
  return isInteger(numberText) ? BigInt(numberText) : new DecimalNumber(numberText);
}

function isString(each: string): boolean {
  return each.startsWith('"');
}

function isNumber(each: string): boolean {
  return /^-?\d/.test(each);
}

function isInteger(each: string): boolean {
  return /^-?\d+$/.test(each);
}
