import type { SubgraphResponse } from '@meridian/executor';
import { jsonItems, jsonMembers, wholeOf } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';

/** A response of a subgraph, in its parts. */
export interface ResponseParts {
  /** The text of `data`, or of each of its entities; empty for errors without data. */
  readonly items: readonly string[];
  readonly errors: readonly unknown[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Undefined for a response with neither data nor errors, or with other entities than the request asked for. */
export function readResponse(
  text: SubgraphResponse['text'],
  entityCount: number | undefined,
): ResponseParts | undefined {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const members = jsonMembers(bytes, wholeOf(bytes));
  const data = members?.get('data');
  if (members === undefined) {
    return undefined;
  }
  const valueOf = (name: string): unknown => {
    const range = members.get(name);
    return range === undefined ? undefined : JSON.parse(bytes.toString('utf8', range.start, range.end));
  };
  try {
    const errors = valueOf('errors') ?? [];
    const extensions = valueOf('extensions') ?? {};
    if (!Array.isArray(errors) || !isRecord(extensions)) {
      return undefined;
    }
    if (data === undefined || bytes.toString('utf8', data.start, data.end) === 'null') {
      return errors.length === 0 ? undefined : { items: [], errors, extensions };
    }
    const entities = entityCount === undefined ? undefined : jsonMembers(bytes, data)?.get('_entities');
    const items = entityCount === undefined ? [data] : entities && jsonItems(bytes, entities);
    if (items?.length !== (entityCount ?? 1)) {
      return undefined;
    }
    return {
      items: items.map(({ start, end }) => bytes.toString('utf8', start, end)),
      errors,
      extensions,
    };
  } catch {
    return undefined;
  }
}

/** The body of a response with these entities, or with this data alone. */
export function writeResponse(
  items: readonly string[],
  isOfEntities: boolean,
  errors: readonly unknown[] = [],
): string {
  const data = isOfEntities ? `{"_entities":[${items.join(',')}]}` : (items[0] ?? 'null');
  return errors.length === 0 ? `{"data":${data}}` : `{"errors":${JSON.stringify(errors)},"data":${data}}`;
}

/** An error of a smaller request, with the path that it has in the whole one. */
export function atPlaces(error: unknown, places: readonly number[]): unknown {
  if (!isRecord(error) || !Array.isArray(error['path'])) {
    return error;
  }
  const path: readonly unknown[] = error['path'];
  const [field, index, ...below] = path;
  return typeof index === 'number' ? { ...error, path: [field, places[index] ?? index, ...below] } : error;
}
