import { Agent, request as sendRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { listenOnLoopback } from './listen-on-loopback.ts';
import type { LoopbackServer } from './listen-on-loopback.ts';

/**
 * A minimal load balancer: passes requests on to the targets in turn, over kept connections. It never sends one twice:
 * the failure of a target becomes a 502.
 */
export async function startRoundRobinProxy(targetUrls: readonly string[]): Promise<LoopbackServer> {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;
  const server = await listenOnLoopback((request, response) => {
    const target = targetUrls[turn % targetUrls.length] ?? '';
    turn += 1;
    passOn(request, response, target, agent);
  });
  return {
    url: server.url,
    async close() {
      await server.close();
      agent.destroy();
    },
  };
}

function passOn(request: IncomingMessage, response: ServerResponse, target: string, agent: Agent): void {
  const { hostname, port } = new URL(target);
  const upstream = sendRequest({
    agent,
    hostname,
    port,
    // Unchanged; a URL object would normalise it.
    path: request.url ?? '/',
    method: request.method ?? 'GET',
    headers: ownHeaders(request),
  });
  upstream.once('response', (httpResponse) => {
    response.writeHead(httpResponse.statusCode ?? 502, ownHeaders(httpResponse));
    httpResponse.pipe(response);
  });
  upstream.on('error', () => {
    if (response.headersSent) {
      response.destroy();
    } else {
      response.writeHead(502).end();
    }
  });
  response.once('close', () => {
    if (!response.writableFinished) {
      upstream.destroy();
    }
  });
  request.pipe(upstream);
}

/** The fields of a message, without the connection's own. */
function ownHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  const own: OutgoingHttpHeaders = { ...headers };
  delete own['connection'];
  delete own['keep-alive'];
  return own;
}
