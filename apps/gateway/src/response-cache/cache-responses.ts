import type {
  CallSubgraph,
  SubgraphField,
  SubgraphInterceptor,
  SubgraphRequest,
  SubgraphResponse,
  Supergraph,
} from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import { LRUCache } from 'lru-cache';

import type { CacheSettings } from '../config/response-cache-config.ts';
import type { Run } from '../operation/run.ts';
import { parseCacheControl } from '../http/parse-cache-control.ts';
import type { ResponseRules } from '../subgraphs/response-fields.ts';
import type { ResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import type { RequestKeys } from './cache-keys.ts';
import { requestKeys } from './cache-keys.ts';
import type { CachedQuery } from './cached-query.ts';
import { readQuery } from './cached-query.ts';
import type { RequestParts } from './cached-request.ts';
import { readParts } from './cached-request.ts';
import type { ResponseParts } from './cached-response.ts';
import { atPlaces, readResponse, writeResponse } from './cached-response.ts';
import { cacheTags, namedTag } from './cache-tags.ts';
import type { Entry, EntryStore, LookUp, NewEntry } from './entry-store.ts';
import type { Freshness } from './freshness.ts';
import { freshnessOf, remainingControl, strictestControl } from './freshness.ts';

export interface CacheOptions {
  readonly subgraph: string;
  readonly url: string;
  readonly settings: CacheSettings;
  readonly store: EntryStore;
  readonly supergraph: Pick<Supergraph, 'schema'>;
  /** For the header fields that clients get; undefined where there are none. */
  readonly responseRules: ResponseRules | undefined;
  readonly metrics: ResponseCacheMetrics;
}

/** The most characters of queries that are known, by subgraph: clients without a safelist send any number of them. */
const maxCharacters = 2_000_000;

/** The most entities of a fetch that are looked up: more would hold up the look-ups of other requests. */
const maxItems = 3000;

/** A request of which responses are kept. */
interface CachedCall {
  readonly request: SubgraphRequest<Run>;
  readonly parts: RequestParts;
  readonly query: CachedQuery;
  readonly keys: RequestKeys;
  /** Each representation; one empty text for root fields. */
  readonly items: readonly string[];
}

/** A stored response for each item; undefined where there is none. */
type Found = readonly (Entry | undefined)[];

/**
 * Keeps the responses of one subgraph to queries, for the time of their `Cache-Control`: each entity by itself, so that
 * only the missing ones are fetched, and root fields together. A response with errors, without data or with a cookie is not
 * kept. While the store does not respond, the subgraph is asked.
 */
export function cacheResponses(options: CacheOptions): SubgraphInterceptor<Run> {
  const { subgraph, url, settings, store, supergraph, responseRules, metrics } = options;
  const tags = cacheTags(supergraph, subgraph);
  const queries = new LRUCache<string, { readonly read: CachedQuery | undefined }>({
    maxSize: maxCharacters,
    sizeCalculation: (_query, text) => text.length + 1,
  });
  const queryOf = (text: string): CachedQuery | undefined => {
    const known = queries.get(text);
    if (known !== undefined) {
      return known.read;
    }
    const read = readQuery(text, supergraph.schema);
    queries.set(text, { read });
    return read;
  };

  const ask = (request: SubgraphRequest<Run>): CachedCall | undefined => {
    const parts = readParts(request.body);
    const query = parts && queryOf(parts.query);
    if (parts === undefined || query === undefined) {
      return undefined;
    }
    const { representations, operationName } = parts;
    const items = representations ?? [''];
    if (
      query.isOfEntities !== (representations !== undefined) ||
      items.length === 0 ||
      items.length > maxItems
    ) {
      return undefined;
    }
    const keys = requestKeys({
      request,
      settings,
      url,
      operationName,
      query: `${query.digest}\n${parts.rest}`,
    });
    return { request, parts, query, keys, items };
  };

  const lookUp = async ({
    keys,
    items,
  }: CachedCall): Promise<{ found: Found; epoch: string } | undefined> => {
    const startMs = performance.now();
    let looked: LookUp;
    try {
      looked = await store.find(keys.scopes.flatMap((scope) => items.map((item) => keys.keyOf(scope, item))));
    } catch {
      // Already logged when Redis stopped responding.
      metrics.onFailure('fetch', subgraph);
      return undefined;
    }
    const { entries, epoch } = looked;
    const found = items.map((_item, index) =>
      keys.scopes
        .map((_scope, scopeIndex) => entries[scopeIndex * items.length + index])
        .find((entry) => entry !== undefined),
    );
    const hits = found.filter((entry) => entry !== undefined).length;
    metrics.onFetch(subgraph, (performance.now() - startMs) / 1000, { hits, misses: items.length - hits });
    return { found, epoch };
  };

  /** For how long a response is kept; undefined for one that is not. */
  const freshness = (
    { keys }: CachedCall,
    { cacheControl }: SubgraphResponse,
    fields: readonly SubgraphField[] | undefined,
  ): Freshness | undefined => {
    // Without fields, another request has brought it, which keeps it.
    if (fields === undefined || (responseRules !== undefined && passesOn(responseRules, fields))) {
      return undefined;
    }
    return freshnessOf({
      cacheControl,
      fields,
      isShareable: keys.scopes.includes('public'),
      ttlMs: settings.ttlMs,
      ignoredHeaders: settings.ignoredHeaders,
    });
  };

  const tagsOf = ({ parts, query }: CachedCall, item: string): readonly string[] =>
    query.isOfEntities
      ? tags.ofEntity(recordIn(item))
      : tags.ofRootFields(query.rootFields, recordIn(parts.variablesText));

  const keep = async (
    call: CachedCall,
    { items, response, freshness: { ttlMs, clientMs, scope }, epoch }: Keeping,
  ): Promise<void> => {
    const { keys, query } = call;
    if (!keys.scopes.includes(scope)) {
      return;
    }
    const nowMs = Date.now();
    const startMs = performance.now();
    try {
      const named = namedTags(response.extensions, query.isOfEntities);
      const entries = items.flatMap((item, index): NewEntry[] => {
        const text = response.items[index] ?? 'null';
        // Malformed JSON fails here.
        return JSON.parse(text) === null
          ? []
          : [
              {
                key: keys.keyOf(scope, item),
                text,
                expiresMs: nowMs + ttlMs,
                reusableUntilMs: nowMs + clientMs,
                scope,
                tags: [...new Set([...tagsOf(call, item), ...named(index)])],
              },
            ];
      });
      if (entries.length > 0) {
        await store.keep(epoch, entries);
        metrics.onInsert(subgraph, (performance.now() - startMs) / 1000);
      }
    } catch {
      // The response is malformed, or it was logged when Redis stopped responding.
      metrics.onFailure('insert', subgraph);
    }
  };

  const fetchMissing = async (
    call: CachedCall,
    next: CallSubgraph<Run>,
    { found, epoch }: { readonly found: Found; readonly epoch: string },
  ): Promise<SubgraphResponse> => {
    const { request, parts, query, items } = call;
    const places = items.flatMap((_item, index) => (found[index] === undefined ? [index] : []));
    const missing = places.map((index) => items[index] ?? '');
    const withNone = (response: SubgraphResponse): SubgraphResponse => ({
      ...response,
      stored: { hits: 0, misses: items.length },
    });
    const isPartial = missing.length < items.length;
    let fields: readonly SubgraphField[] | undefined;
    const response = await next({
      ...request,
      ...(isPartial && { body: parts.withRepresentations(missing) }),
      onFields(received) {
        fields = received;
        request.onFields?.(received);
      },
    });
    const fresh = freshness(call, response, fields);
    if (fresh === undefined && !isPartial) {
      return withNone(response);
    }
    const read = readResponse(response.text, query.isOfEntities ? missing.length : undefined);
    if (read === undefined) {
      // Malformed: the run rejects it.
      return withNone(response);
    }
    if (fresh !== undefined && read.errors.length === 0) {
      void keep(call, { items: missing, response: read, freshness: fresh, epoch });
    }
    if (!isPartial) {
      return withNone(response);
    }
    const whole = found.map((entry) => entry?.text ?? 'null');
    places.forEach((place, index) => (whole[place] = read.items[index] ?? 'null'));
    const errors = read.errors.map((error) => atPlaces(error, places));
    return {
      ...response,
      text: writeResponse(whole, query.isOfEntities, errors),
      cacheControl: strictestControl(leftOf(found), response.cacheControl, fields ?? []),
      stored: { hits: items.length - missing.length, misses: missing.length },
    };
  };

  return async (request, next) => {
    if (
      request.operationKind !== 'query' ||
      request.parts !== undefined ||
      request.run.upload !== undefined
    ) {
      return await next(request);
    }
    const wishes = parseCacheControl(request.headers['cache-control'] ?? '');
    const call = wishes.has('no-store') ? undefined : ask(request);
    const lookedUp = call && (await lookUp(call));
    if (call === undefined || lookedUp === undefined) {
      return await next(request);
    }
    const found = wishes.has('no-cache') ? lookedUp.found.map(() => undefined) : lookedUp.found;
    if (found.some((entry) => entry !== undefined)) {
      noteStored(request, responseRules, found);
    }
    return found.includes(undefined)
      ? await fetchMissing(call, next, { found, epoch: lookedUp.epoch })
      : storedResponse(call, found);
  };
}

interface Keeping {
  /** Those that the response is for. */
  readonly items: readonly string[];
  readonly response: ResponseParts;
  readonly freshness: Freshness;
  readonly epoch: string;
}

function storedResponse({ query }: CachedCall, found: Found): SubgraphResponse {
  const { leftMs, isPrivate } = leftOf(found);
  return {
    text: writeResponse(
      found.map((entry) => entry?.text ?? 'null'),
      query.isOfEntities,
    ),
    cacheControl: remainingControl(leftMs, isPrivate),
    status: 200,
    stored: { hits: found.length, misses: 0 },
  };
}

function leftOf(found: Found): { readonly leftMs: number; readonly isPrivate: boolean } {
  let untilMs = Number.POSITIVE_INFINITY;
  let isPrivate = false;
  for (const entry of found) {
    if (entry !== undefined) {
      untilMs = Math.min(untilMs, entry.reusableUntilMs);
      isPrivate ||= entry.scope === 'private';
    }
  }
  return { leftMs: untilMs - Date.now(), isPrivate };
}

/** The rules for clients' header fields see a response that has only its `Cache-Control`. */
function noteStored({ run }: SubgraphRequest<Run>, rules: ResponseRules | undefined, found: Found): void {
  if (rules !== undefined && run.received !== undefined) {
    const { leftMs, isPrivate } = leftOf(found);
    run.received.push({ rules, fields: [['cache-control', remainingControl(leftMs, isPrivate)]] });
  }
}

/** True where clients get a field of the response, which a stored one would lack. */
function passesOn({ apply }: ResponseRules, fields: readonly SubgraphField[]): boolean {
  const shown = (list: readonly SubgraphField[]): string =>
    JSON.stringify(Array.from(apply(list), ([name, { values }]) => [name, values]));
  return shown(fields.filter(([name]) => name !== 'cache-control')) !== shown([]);
}

/** The tags that a response names for one of its entities, or for its root fields. */
function namedTags(
  extensions: ResponseParts['extensions'],
  isOfEntities: boolean,
): (index: number) => readonly string[] {
  const { apolloEntityCacheTags: ofEntities, apolloCacheTags: ofRoot } = extensions;
  return (index) => texts(isOfEntities ? (Array.isArray(ofEntities) ? ofEntities[index] : []) : ofRoot);
}

/** The texts of a list, as tags; none of another value. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((tag): tag is string => typeof tag === 'string').map(namedTag)
    : [];
}

function recordIn(text: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = text === undefined ? undefined : JSON.parse(text);
  return isRecord(value) ? value : {};
}
