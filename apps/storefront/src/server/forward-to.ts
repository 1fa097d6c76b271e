import type { RequestListener } from 'node:http';
import { request as httpRequest } from 'node:http';
import { pipeline } from 'node:stream/promises';

/**
 * Forwards requests unchanged, with their query string, to another server, and its responses to the client.
 *
 * @param target a resource; or, where its path ends with a slash, a server whose paths are the requests' own
 */
export function forwardTo(target: URL): RequestListener {
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
