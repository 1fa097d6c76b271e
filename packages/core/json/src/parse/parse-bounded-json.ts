import { randomUUID } from 'node:crypto';

import { ExactNumber } from './exact-number.ts';
import type { JsonBounds } from './scan-json.ts';
import { scanJson } from './scan-json.ts';

/** A JSON text is over a bound. */
export class JsonBoundError extends Error {
  override readonly name = 'JsonBoundError';
  /** Without a subject, as in "nests more than 500 arrays and objects". */
  readonly fault: string;

  constructor(bound: keyof JsonBounds, bounds: JsonBounds) {
    const fault = faults[bound](bounds[bound] ?? Infinity);
    super(`The JSON ${fault}`);
    this.fault = fault;
  }
}

const faults: Readonly<Record<keyof JsonBounds, (bound: number) => string>> = {
  maxDepth: (bound) => `nests more than ${bound} arrays and objects`,
  maxValues: (bound) => `has more than ${bound} values`,
  maxNames: (bound) => `has more than ${bound} different names of members`,
};

/**
 * Parses JSON as `JSON.parse` does, but for numbers of which a double would lose something: each is an `ExactNumber`.
 *
 * @param numbers `double` for a caller that does not know `ExactNumber`. Default: `exact`
 * @throws {JsonBoundError} before anything is parsed
 * @throws {SyntaxError}
 */
export function parseBoundedJson(
  text: string,
  bounds: JsonBounds,
  numbers: 'exact' | 'double' = 'exact',
): unknown {
  const { exceeded, exactNumbers } = scanJson(text, bounds);
  if (exceeded !== undefined) {
    throw new JsonBoundError(exceeded, bounds);
  }
  return exactNumbers.length === 0 || numbers === 'double'
    ? JSON.parse(text)
    : unmark(JSON.parse(marked(text, exactNumbers)));
}

/** As `parseBoundedJson`, for a text that this process wrote, or has measured. */
export function parseJsonExactly(text: string): unknown {
  return parseBoundedJson(text, { maxDepth: Infinity, maxValues: Infinity });
}

/** Unknown outside this process: no text has a string that starts so. */
const mark = randomUUID();

/**
 * The text with a list of one marked string in the place of each exact number: a list, because it is not valid as the
 * name of a member. A reviver with the source text takes four to twenty times as long.
 */
function marked(text: string, exactNumbers: readonly number[]): string {
  const parts: string[] = [];
  let end = 0;
  for (let index = 0; index < exactNumbers.length; index += 2) {
    const start = exactNumbers[index] ?? 0;
    parts.push(text.slice(end, start));
    end = exactNumbers[index + 1] ?? 0;
    parts.push(`["${mark}${text.slice(start, end)}"]`);
  }
  parts.push(text.slice(end));
  return parts.join('');
}

/** Changes the value: nothing else has it yet. */
function unmark(value: Parsed): Parsed {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
    return value;
  }
  if (!Array.isArray(value)) {
    for (const name in value) {
      const member = value[name];
      if (typeof member === 'object') {
        value[name] = unmark(member);
      }
    }
    return value;
  }
  const [first] = value;
  if (value.length === 1 && typeof first === 'string' && first.startsWith(mark)) {
    return new ExactNumber(first.slice(mark.length));
  }
  for (let index = 0; index < value.length; index += 1) {
    const item = value[index];
    if (typeof item === 'object') {
      value[index] = unmark(item);
    }
  }
  return value;
}

type Parsed = null | boolean | number | string | ExactNumber | Parsed[] | { [name: string]: Parsed };
