import type { Exchange, HttpResponse, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';
import { Problem } from '@meridian/problem-details';
import type { Logger } from '@meridian/telemetry';

import type { CachedSubgraphs, Invalidation } from './invalidate.ts';
import { isKnownSecret, mayInvalidate, readInvalidations } from './invalidate.ts';

export interface ServeInvalidationsOptions {
  readonly path: string;
  /** Of the configuration in force. */
  readonly cached: () => CachedSubgraphs;
  readonly invalidate: (invalidations: readonly Invalidation[]) => Promise<number>;
  readonly logger: Logger;
}

/** Of a list of invalidations. */
const maxBytes = 1_000_000;
const readTimeoutMs = 10_000;

/**
 * Serves invalidations at their path, by Apollo Router's protocol: a POST of a list, with the shared key in
 * `Authorization`, gets 202 and the number of removed responses.
 *
 * @param app has all other paths
 */
export function serveInvalidations(app: ServeExchange, options: ServeInvalidationsOptions): ServeExchange {
  return (exchange) => {
    if (targetOf(exchange).path !== options.path) {
      return app(exchange);
    }
    return respond(exchange, options).then(
      (response) => exchange.send(response, []),
      (error: unknown) => {
        const status = error instanceof Problem ? error.status : 500;
        if (status === 500) {
          options.logger.error({ err: error }, 'an invalidation failed');
        }
        exchange.send(failure(status, 'The request could not be processed'), []);
      },
    );
  };
}

async function respond(
  exchange: Exchange,
  { cached, invalidate, logger }: ServeInvalidationsOptions,
): Promise<HttpResponse> {
  const { authorization } = exchange.headers;
  if (authorization === undefined) {
    return failure(401, 'Missing authorization header');
  }
  // Before the body is read: anyone may send one.
  if (!isKnownSecret(authorization, cached())) {
    return failure(401, 'Invalid authorization header');
  }
  if (exchange.method !== 'POST') {
    return failure(405, 'An invalidation is a POST', { Allow: 'POST' });
  }
  const body = await exchange.readBody({ maxBytes, signal: AbortSignal.timeout(readTimeoutMs) });
  let invalidations: readonly Invalidation[];
  try {
    invalidations = readInvalidations(JSON.parse(body.toString()));
  } catch (error) {
    return failure(400, `failed to deserialize the request body into JSON: ${messageOf(error)}`);
  }
  if (!mayInvalidate(invalidations, authorization, cached())) {
    return failure(401, 'Invalid authorization header');
  }
  try {
    return json(202, { count: await invalidate(invalidations) });
  } catch (error) {
    logger.warn({ err: error }, 'an invalidation failed');
    // Apollo Router's status is 400, which says that the request is wrong.
    return failure(503, 'Redis has not done all of it; send it again');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const phrases: ReadonlyMap<number, string> = new Map([
  [400, '400 Bad Request'],
  [401, '401 Unauthorized'],
  [405, '405 Method Not Allowed'],
  [503, '503 Service Unavailable'],
]);

function failure(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const code = phrases.get(status) ?? String(status);
  return json(status, { errors: [{ message, extensions: { code } }] }, headers);
}

function json(status: number, value: object, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
    body: JSON.stringify(value),
  };
}
