import type { JsonRange } from '../json/json-members.ts';
import { jsonItems, jsonMembers, wholeOf } from '../json/json-members.ts';

/**
 * Splits the response to a merged request into what each of its fetches would have got. Undefined where that cannot be
 * known: an error without a place, or data that the error of another fetch has nulled.
 */
export type SplitResponse = (text: string | Buffer) => readonly Buffer[] | undefined;

/** @param aliases of the fetches, in their order: names that occur nowhere else in the request */
export function createResponseSplitter(aliases: readonly string[]): SplitResponse {
  const start = Buffer.from(`{"data":{"${aliases[0]}":[`);
  const separators = aliases.slice(1).map((alias) => Buffer.from(`],"${alias}":[`));
  return (text) => {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    return splitExpected(bytes, start, separators) ?? splitAny(bytes, aliases);
  };
}

const entitiesStart = Buffer.from('{"data":{"_entities":[');
const end = Buffer.from(']}}');

const errors = Buffer.from(',"errors":');

/**
 * Splits a response that is written as expected, without reading it. A separator that occurs once in a JSON text is where
 * it looks to be: inside a string its quotes would be escaped. So would the quotes of the errors.
 */
function splitExpected(
  text: Buffer,
  start: Buffer,
  separators: readonly Buffer[],
): readonly Buffer[] | undefined {
  const last = text.length - end.length;
  if (
    last < start.length ||
    !text.subarray(0, start.length).equals(start) ||
    !text.subarray(last).equals(end) ||
    text.includes(errors)
  ) {
    return undefined;
  }
  const parts: Buffer[] = [];
  let from = start.length;
  for (const separator of separators) {
    const at = text.indexOf(separator, from);
    if (at === -1 || text.includes(separator, at + 1)) {
      return undefined;
    }
    parts.push(Buffer.concat([entitiesStart, text.subarray(from, at), end]));
    from = at + separator.length;
  }
  parts.push(Buffer.concat([entitiesStart, text.subarray(from, last), end]));
  return parts;
}

function splitAny(text: Buffer, aliases: readonly string[]): readonly Buffer[] | undefined {
  const response = jsonMembers(text, wholeOf(text));
  const dataRange = response?.get('data');
  const data = dataRange && jsonMembers(text, dataRange);
  const errorsRange = response?.get('errors');
  const errors = errorsRange === undefined ? [] : jsonItems(text, errorsRange);
  if (data === undefined || errors === undefined) {
    return undefined;
  }
  const errorsOf = new Map<string, string[]>(aliases.map((alias) => [alias, []]));
  for (const error of errors) {
    const placed = placedError(text, error, errorsOf);
    if (placed === undefined) {
      return undefined;
    }
    placed.list.push(placed.text);
  }
  const parts: Buffer[] = [];
  for (const alias of aliases) {
    const entities = data.get(alias);
    if (entities === undefined) {
      return undefined;
    }
    const own = errorsOf.get(alias) ?? [];
    const written = own.length === 0 ? '' : `,"errors":[${own.join(',')}]`;
    parts.push(
      Buffer.concat([
        Buffer.from('{"data":{"_entities":'),
        text.subarray(entities.start, entities.end),
        Buffer.from(`}${written}}`),
      ]),
    );
  }
  return parts;
}

/** An error with the path that it would have in the response to its own fetch, and the errors of that fetch. */
function placedError(
  text: Buffer,
  error: JsonRange,
  errorsOf: ReadonlyMap<string, string[]>,
): { readonly list: string[]; readonly text: string } | undefined {
  const path = jsonMembers(text, error)?.get('path');
  const [first] = (path && jsonItems(text, path)) ?? [];
  const alias = first && text.toString('utf8', first.start + 1, first.end - 1);
  const list = alias === undefined ? undefined : errorsOf.get(alias);
  return (
    first &&
    list && {
      list,
      text: `${text.toString('utf8', error.start, first.start)}"_entities"${text.toString('utf8', first.end, error.end)}`,
    }
  );
}
