import type { RequestListener, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';

import type { BrowserPage, PageFile } from '@meridian/pages';

import type { Identifiers } from './read-identifiers.ts';

export interface StorefrontOptions {
  readonly page: BrowserPage;
  readonly identifiers: Identifiers;
  readonly graphUrl: URL;
  readonly accountsUrl: URL;
  /** Signs a token for the visitor, because this example has no sign-in. */
  readonly signToken: () => Promise<string>;
}

const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'",
};

/**
 * Creates the shop's server: the page, a token, and the graph and the reads of accounts under the page's origin, like a
 * shop behind one load balancer.
 */
export function createStorefront({
  page,
  identifiers,
  graphUrl,
  accountsUrl,
  signToken,
}: StorefrontOptions): RequestListener {
  const forwardToGraph = forwardTo(graphUrl);
  const forwardToAccounts = forwardTo(accountsUrl);
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    if (path === '/graphql') {
      forwardToGraph(request, response);
    } else if (request.method === 'GET' && /^\/(?:accounts|events)(?:\/|$)/.test(path)) {
      forwardToAccounts(request, response);
    } else if (path === '/') {
      response.writeHead(200, pageHeaders).end(page.html);
    } else if (path === '/operations.json') {
      sendJson(response, identifiers);
    } else if (path === '/session' && request.method === 'POST') {
      signToken().then(
        (token) => sendJson(response, { token }),
        () => response.writeHead(500).end(),
      );
    } else {
      sendFile(response, page.files.get(path.slice(1)));
    }
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(value));
}

function sendFile(response: ServerResponse, file: PageFile | undefined): void {
  if (file === undefined) {
    response.writeHead(404).end();
  } else {
    response.writeHead(200, { 'Content-Type': file.mediaType, 'Cache-Control': 'no-cache' }).end(file.body);
  }
}

/**
 * Forwards requests unchanged, with their query string, to another server, and its responses to the client.
 *
 * @param target a resource; or, where its path ends with a slash, a server whose paths are the requests' own
 */
function forwardTo(target: URL): RequestListener {
  return (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const url = new URL(target);
    if (url.pathname.endsWith('/')) {
      url.pathname += path.slice(1);
    }
    url.search = query;
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const forwarded = httpRequest(url, { method: request.method ?? 'GET', headers }, (httpResponse) => {
      response.writeHead(httpResponse.statusCode ?? 502, httpResponse.headers);
      // When one side hangs up, both end.
      pipeline(httpResponse, response).catch(() => response.destroy());
    });
    forwarded.on('error', () => {
      if (response.headersSent) {
        response.destroy();
      } else {
        response.writeHead(502).end();
      }
    });
    pipeline(request, forwarded).catch(() => forwarded.destroy());
  };
}
