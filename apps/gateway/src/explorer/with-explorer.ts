import { randomUUID } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';

import type { Exchange, HttpResponse, RequestHead, ServeExchange } from '@meridian/http';
import { targetOf } from '@meridian/http';
import type { BrowserPage, PageFile } from '@meridian/pages';
import type { Explanation, Session } from '@meridian/pages/explorer/session';
import { Problem } from '@meridian/problem-details';
import { isRecord } from '@meridian/settings/values';

import type { Explanation as RunExplanation } from '../explain/explanation.ts';
import { isOwnOrigin } from '../interceptors/cors.ts';
import type { OperationToExplain } from './create-explainer.ts';

/** The content of the explorer. */
export interface Explorer {
  /** The initial state of the page, as JSON. */
  readonly session: () => Promise<Session>;
  /** The schema as clients see it: the response to an introspection query, which usage does not count here. */
  readonly schema: () => object;
  /** The explanation of a recent request, by the id that the gateway gave it. */
  readonly findRun: (requestId: string) => RunExplanation | undefined;
  readonly explain: (operation: OperationToExplain) => Promise<Explanation>;
  readonly page: () => Promise<Pick<BrowserPage, 'html' | 'files'>>;
  /** The file that `pnpm graph` writes; undefined where there is none. */
  readonly graphPage: () => Promise<Uint8Array | undefined>;
  /** Called with each failure; the browser sees only an id. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** The graph endpoint. A browser that opens it, or the root, gets the explorer. */
  readonly graphPaths: readonly string[];
}

const explorerPath = '/explorer';
/** The page of `pnpm graph`. */
export const graphPagePath = `${explorerPath}/graph`;

/** Of an operation to explain, with its variables. */
const maxBytes = 2_000_000;
const readTimeoutMs = 10_000;

/**
 * The gateway with the explorer in front of it: `/explorer` and what is below it, for this machine alone. To everyone
 * else there is no such path.
 *
 * Contract: Gateway, "Explorer".
 */
export function withExplorer(app: ServeExchange, explorer: Explorer): ServeExchange {
  return (exchange) => {
    const { path, query } = targetOf(exchange);
    if (!isFromThisMachine(exchange)) {
      void app(exchange);
    } else if (isOfExplorer(path)) {
      void respond(exchange, () => respondAt(path, exchange, explorer), explorer.onFailure);
    } else if (query === '' && ['/', ...explorer.graphPaths].includes(path) && wantsPage(exchange)) {
      const headers = { Location: explorerPath, Vary: 'Accept' };
      exchange.send({ status: 303, headers }, ['Request-Id', randomUUID()]);
    } else {
      void app(exchange);
    }
  };
}

/** Leaves a path with a trailing slash to the app, which redirects it. */
function isOfExplorer(path: string): boolean {
  return path === explorerPath || (path.startsWith(`${explorerPath}/`) && !path.endsWith('/'));
}

/** True for a browser, at the root or at the graph endpoint. No GraphQL client accepts HTML. */
function wantsPage({ method, headers: { accept = '' } }: RequestHead): boolean {
  return method === 'GET' && accept.startsWith('text/html');
}

async function respondAt(path: string, exchange: Exchange, explorer: Explorer): Promise<HttpResponse> {
  const name = path.slice(explorerPath.length + 1);
  const takes = name === 'explanation' ? 'POST' : 'GET';
  if (exchange.method !== takes) {
    return failure(405, { Allow: takes });
  }
  switch (name) {
    case '':
      return { status: 200, headers: pageHeaders, body: (await explorer.page()).html };
    case 'schema':
      return json(explorer.schema());
    case 'run':
      return runResponse(explorer.findRun(new URLSearchParams(targetOf(exchange).query).get('id') ?? ''));
    case 'session':
      return isOfPage(exchange) ? json(await explorer.session()) : failure(403);
    case 'graph':
      return graphResponse(await explorer.graphPage());
    case 'explanation':
      return await respondWithExplanation(exchange, explorer);
    default:
      return fileResponse((await explorer.page()).files.get(name));
  }
}

/** True for a request of the page itself, or of a program outside browsers: another site gets no token. */
function isOfPage({ headers }: RequestHead): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  return (
    (site === undefined || site === 'same-origin' || site === 'none') &&
    (origin === undefined || isOwnOrigin(origin, headers.host))
  );
}

async function respondWithExplanation(exchange: Exchange, { explain }: Explorer): Promise<HttpResponse> {
  // A page of another origin could send any other type without a preflight.
  if (exchange.headers['content-type'] !== 'application/json') {
    return failure(415);
  }
  const operation = operationIn(
    await exchange.readBody({ maxBytes, signal: AbortSignal.timeout(readTimeoutMs) }),
  );
  return operation === undefined ? failure(400) : json(await explain(operation));
}

function operationIn(body: Buffer): OperationToExplain | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  const { query, operationName, variables } = isRecord(value) ? value : {};
  return typeof query === 'string' &&
    (typeof operationName === 'string' || operationName === null) &&
    isRecord(variables)
    ? { query, operationName: operationName ?? undefined, variables }
    : undefined;
}

// Only this origin's content, and nothing inline except styles, which GraphiQL's editor generates.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const ownOrigin = { 'Cross-Origin-Resource-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff' };

/** Only its times: the rest is for `pnpm explain`, which takes a secret. */
function runResponse(run: RunExplanation | undefined): HttpResponse {
  return run === undefined ? failure(404) : json({ stages: run.stages, fetches: run.fetches });
}

/** It can hold a token. */
function json(value: object): HttpResponse {
  return {
    status: 200,
    headers: { ...ownOrigin, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify(value),
  };
}

/**
 * The page has a policy of its own, by hashes. In the sandbox it is of no origin, so that nothing in a schema could
 * reach the token of the explorer.
 */
function graphResponse(body: Uint8Array | undefined): HttpResponse {
  return body === undefined
    ? failure(404)
    : {
        status: 200,
        headers: {
          ...pageHeaders,
          'Content-Security-Policy': "sandbox allow-scripts; frame-ancestors 'none'",
        },
        body,
      };
}

/** Some names are the same in every version, so a browser has to revalidate them. */
function fileResponse(file: PageFile | undefined): HttpResponse {
  return file === undefined
    ? failure(404)
    : {
        status: 200,
        headers: { ...ownOrigin, 'Content-Type': file.mediaType, 'Cache-Control': 'no-cache' },
        body: file.body,
      };
}

function failure(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { ...headers, 'Cache-Control': 'no-store' } };
}

async function respond(
  exchange: Exchange,
  makeResponse: () => Promise<HttpResponse>,
  onFailure: Explorer['onFailure'],
): Promise<void> {
  const requestId = randomUUID();
  const fields = ['Request-Id', requestId];
  try {
    exchange.send(await makeResponse(), fields);
  } catch (error) {
    if (error instanceof Problem) {
      exchange.send(failure(error.status), fields);
    } else {
      onFailure(error, requestId);
      exchange.send(failure(500), fields);
    }
  }
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * True when a request comes from this machine and is addressed to it: both the peer and the `Host` are on loopback. A
 * foreign page whose name resolves to loopback cannot have such a `Host`. A proxy on this machine forwards requests
 * of others.
 */
export function isFromThisMachine({ peer = '', headers }: Pick<Exchange, 'peer' | 'headers'>): boolean {
  return (
    loopback.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4') &&
    loopbackHost.test(headers.host ?? '') &&
    headers.forwarded === undefined &&
    headers['x-forwarded-for'] === undefined
  );
}
