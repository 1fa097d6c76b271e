import type { RequestListener } from 'node:http';
import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Sends requests on to another server as they are, with their query string, and its answers back. */
export function forwardTo(target: URL): RequestListener {
  return (request, response) => {
    const [, query] = (request.url ?? '').split('?', 2);
    const url = new URL(target);
    url.search = query ?? '';
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const forwarded = httpRequest(url, { method: request.method ?? 'GET', headers }, (httpResponse) => {
      response.writeHead(httpResponse.statusCode ?? 502, httpResponse.headers);
      // Either side may hang up, which ends both.
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
