import type { JsonRange, SubgraphRequest, Supergraph } from '@meridian/executor';
import { jsonItems, jsonMembers, stringAt, wholeOf } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import { LRUCache } from 'lru-cache';

import type { CacheSettings } from '../config/response-cache-config.ts';
import type { Run } from '../operation/run.ts';
import type { ResponseRules } from '../subgraphs/response-fields.ts';
import type { ResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import type { RequestKeys } from './cache-keys.ts';
import { requestKeys } from './cache-keys.ts';
import { cacheTags } from './cache-tags.ts';
import type { CachedQuery } from './cached-query.ts';
import { readQuery, representationsName } from './cached-query.ts';
import type { EntryStore } from './entry-store.ts';

/** A request of which responses are kept. */
export interface CachedCall {
  readonly request: SubgraphRequest<Run>;
  readonly isOfEntities: boolean;
  /** Each representation; one empty text for root fields. */
  readonly items: readonly string[];
  readonly keys: RequestKeys;
  readonly tagsOf: (item: string) => readonly string[];
  /** The body of the request with other representations. */
  readonly withRepresentations: RequestParts['withRepresentations'];
}

/** The cache of one subgraph. */
export interface CacheOptions {
  readonly subgraph: string;
  /** The URL of the subgraph, and its socket. */
  readonly place: string;
  readonly settings: CacheSettings;
  readonly supergraph: Pick<Supergraph, 'schema'>;
  readonly store: EntryStore;
  /** For the header fields that clients get; undefined where there are none. */
  readonly responseRules: ResponseRules | undefined;
  readonly metrics: ResponseCacheMetrics;
}

/** The most characters of queries that are known, by subgraph: clients without a safelist send any number of them. */
const maxCharacters = 2_000_000;

/** The most entities of a fetch that are looked up: more would hold up the look-ups of other requests. */
const maxItems = 3000;

/** Creates a function that reads requests to one subgraph. It returns undefined where no response is kept. */
export function createCallReader({
  subgraph,
  place,
  settings,
  supergraph,
}: CacheOptions): (request: SubgraphRequest<Run>) => CachedCall | undefined {
  const tags = cacheTags(supergraph, subgraph);
  const queries = new LRUCache<string, { readonly read: CachedQuery | undefined }>({
    maxSize: maxCharacters,
    sizeCalculation: (_query, text) => text.length + 1,
  });
  const queryOf = (text: string): CachedQuery | undefined => {
    let known = queries.get(text);
    if (known === undefined) {
      known = { read: readQuery(text, supergraph.schema) };
      queries.set(text, known);
    }
    return known.read;
  };
  return (request) => {
    const parts = readParts(request.body);
    const query = parts && queryOf(parts.query);
    if (parts === undefined || query === undefined) {
      return undefined;
    }
    const { representations, operationName, rest, variablesText, withRepresentations } = parts;
    const { isOfEntities, rootFields, digest } = query;
    const items = representations ?? [''];
    if (isOfEntities !== (representations !== undefined) || items.length === 0 || items.length > maxItems) {
      return undefined;
    }
    return {
      request,
      isOfEntities,
      items,
      keys: requestKeys({ request, settings, place, operationName, query: `${digest}\n${rest}` }),
      tagsOf: (item) =>
        isOfEntities ? tags.ofEntity(recordIn(item)) : tags.ofRootFields(rootFields, recordIn(variablesText)),
      withRepresentations,
    };
  };
}

function recordIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isRecord(value) ? value : {};
}

/** A request to a subgraph, in its parts. Their texts are kept as they are: digits stay exact. */
interface RequestParts {
  readonly query: string;
  readonly operationName: string | undefined;
  /** All but the query and the representations. */
  readonly rest: string;
  /** Undefined for a request without. */
  readonly representations: readonly string[] | undefined;
  /** Undefined for none. */
  readonly variablesText: string | undefined;
  readonly withRepresentations: (others: readonly string[]) => string;
}

/** Undefined for another body than a GraphQL request. */
function readParts(body: string): RequestParts | undefined {
  const bytes = Buffer.from(body);
  const textOf = ({ start, end }: JsonRange): string => bytes.toString('utf8', start, end);
  const members = jsonMembers(bytes, wholeOf(bytes));
  const query = stringAt(bytes, members?.get('query'));
  if (members === undefined || query === undefined) {
    return undefined;
  }
  const variables = members.get('variables');
  const ofVariables = variables && jsonMembers(bytes, variables);
  const range = ofVariables?.get(representationsName);
  const items = range && jsonItems(bytes, range);
  const rest: string[] = [];
  for (const [name, member] of members) {
    if (name !== 'query' && (name !== 'variables' || ofVariables === undefined)) {
      rest.push(JSON.stringify(name), textOf(member));
    }
  }
  for (const [name, member] of ofVariables ?? []) {
    if (name !== representationsName || items === undefined) {
      rest.push(JSON.stringify(`$${name}`), textOf(member));
    }
  }
  return {
    query,
    operationName: stringAt(bytes, members.get('operationName')),
    rest: rest.join('\n'),
    representations: items?.map(textOf),
    variablesText: variables && textOf(variables),
    withRepresentations: (others) =>
      range === undefined
        ? body
        : `${bytes.toString('utf8', 0, range.start)}[${others.join(',')}]${bytes.toString('utf8', range.end)}`,
  };
}
