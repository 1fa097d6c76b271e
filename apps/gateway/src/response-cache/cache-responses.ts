import type {
  CallSubgraph,
  SubgraphField,
  SubgraphInterceptor,
  SubgraphRequest,
  SubgraphResponse,
} from '@meridian/executor';

import type { Run } from '../operation/run.ts';
import { parseCacheControl } from '../http/parse-cache-control.ts';
import type { ResponseRules } from '../subgraphs/response-fields.ts';
import type { CacheOptions, CachedCall } from './cached-call.ts';
import { createCallReader } from './cached-call.ts';
import { atPlaces, readResponse, writeResponse } from './cached-response.ts';
import type { Entry, LookUp } from './entry-store.ts';
import type { Remaining } from './freshness.ts';
import { remainingControl, strictestControl } from './freshness.ts';
import { keepResponse, keptFor } from './keep-responses.ts';

/** A stored response for each item; undefined where there is none. */
type Found = readonly (Entry | undefined)[];

/**
 * Keeps the responses of one subgraph to queries, for the time of their `Cache-Control`: each entity by itself, so that
 * only the missing ones are fetched, and root fields together. A response with errors, without data or with a cookie is not
 * kept. While the store does not respond, the subgraph is asked.
 */
export function cacheResponses(options: CacheOptions): SubgraphInterceptor<Run> {
  const readCall = createCallReader(options);
  return async (request, next) => {
    const { operationKind, parts, run, headers } = request;
    if (operationKind !== 'query' || parts !== undefined || run.upload !== undefined) {
      return await next(request);
    }
    const wishes = parseCacheControl(headers['cache-control'] ?? '');
    const call = wishes.has('no-store') ? undefined : readCall(request);
    const lookedUp = call && (await lookUp(call, options));
    if (call === undefined || lookedUp === undefined) {
      return await next(request);
    }
    const { epoch } = lookedUp;
    const found = wishes.has('no-cache') ? lookedUp.found.map(() => undefined) : lookedUp.found;
    if (found.some((entry) => entry !== undefined)) {
      noteStored(request, options.responseRules, found);
    }
    return found.includes(undefined)
      ? await fetchMissing(call, next, { found, epoch, options })
      : storedResponse(call, found);
  };
}

/** Undefined where the store does not respond. */
async function lookUp(
  { keys, items }: CachedCall,
  { store, metrics, subgraph }: CacheOptions,
): Promise<{ readonly found: Found; readonly epoch: string } | undefined> {
  const startMs = performance.now();
  let looked: LookUp;
  try {
    looked = await store.find(keys.scopes.flatMap((scope) => items.map((item) => keys.keyOf(scope, item))));
  } catch {
    // The connection to Redis has logged the reason.
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
}

interface Missing {
  readonly found: Found;
  readonly epoch: string;
  readonly options: CacheOptions;
}

/** The response of the subgraph for what is not found, beside what is. */
async function fetchMissing(
  call: CachedCall,
  next: CallSubgraph<Run>,
  { found, epoch, options }: Missing,
): Promise<SubgraphResponse> {
  const { request, isOfEntities, items } = call;
  const places = items.flatMap((_item, index) => (found[index] === undefined ? [index] : []));
  const missing = places.map((index) => items[index] ?? '');
  const isPartial = missing.length < items.length;
  let fields: readonly SubgraphField[] | undefined;
  const response = await next({
    ...request,
    ...(isPartial && { body: call.withRepresentations(missing) }),
    onFields(received) {
      fields = received;
      request.onFields?.(received);
    },
  });
  const freshness = keptFor(call, response, fields, options);
  const read =
    freshness !== undefined || isPartial
      ? readResponse(response.text, isOfEntities ? missing.length : undefined)
      : undefined;
  if (read !== undefined && freshness !== undefined && read.errors.length === 0) {
    void keepResponse(call, { items: missing, response: read, freshness, epoch }, options);
  }
  if (!isPartial || read === undefined) {
    // A malformed one is rejected by the run.
    return { ...response, stored: { hits: 0, misses: items.length } };
  }
  const whole = found.map((entry) => entry?.text ?? 'null');
  places.forEach((place, index) => (whole[place] = read.items[index] ?? 'null'));
  const errors = read.errors.map((error) => atPlaces(error, places));
  return {
    ...response,
    text: writeResponse(whole, isOfEntities, errors),
    cacheControl: strictestControl(leftOf(found), response.cacheControl, fields ?? []),
    stored: { hits: items.length - missing.length, misses: missing.length },
  };
}

function storedResponse({ isOfEntities }: CachedCall, found: Found): SubgraphResponse {
  const texts = found.map((entry) => entry?.text ?? 'null');
  return {
    text: writeResponse(texts, isOfEntities),
    cacheControl: remainingControl(leftOf(found)),
    status: 200,
    stored: { hits: found.length, misses: 0 },
  };
}

function leftOf(found: Found): Remaining {
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
    run.received.push({ rules, fields: [['cache-control', remainingControl(leftOf(found))]] });
  }
}
