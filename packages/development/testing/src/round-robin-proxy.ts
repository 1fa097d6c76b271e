import { EventEmitter, once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { listenOnLoopback } from './listen-on-loopback.ts';
import type { LoopbackServer } from './listen-on-loopback.ts';

/** A minimal load balancer: each request goes to the next target. */
export interface RoundRobinProxy extends LoopbackServer {
  /** From now on this target gets requests too, until one of its responses has `Connection: close`. */
  add(targetUrl: string): void;
  /** Resolves once a target has been sent this many requests. */
  untilSent(targetUrl: string, count: number): Promise<void>;
}

/**
 * Passes requests on in turn, over kept connections. It never sends one twice: the failure of a target becomes a 502.
 */
export async function startRoundRobinProxy(targetUrls: readonly string[]): Promise<RoundRobinProxy> {
  const agent = new Agent({ keepAlive: true });
  let rotation = [...targetUrls];
  const sent = new EventEmitter<Record<string, [count: number]>>();
  const counts = new Map<string, number>();

  const server = await listenOnLoopback((request, response) => {
    const [target, ...others] = rotation;
    if (target === undefined) {
      response.writeHead(502).end();
      return;
    }
    rotation = [...others, target];
    const count = (counts.get(target) ?? 0) + 1;
    counts.set(target, count);
    sent.emit(target, count);
    passOn(request, response, {
      target,
      agent,
      onLeaving: () => (rotation = rotation.filter((url) => url !== target)),
    });
  });
  return {
    url: server.url,
    async untilSent(targetUrl, count) {
      for (let seen = counts.get(targetUrl) ?? 0; seen < count;) {
        [seen] = await once(sent, targetUrl);
      }
    },
    add: (targetUrl) => void rotation.push(targetUrl),
    async close() {
      await server.close();
      agent.destroy();
    },
  };
}

interface Passage {
  readonly target: string;
  readonly agent: Agent;
  readonly onLeaving: () => void;
}

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { target, agent, onLeaving }: Passage,
): void {
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
    if (httpResponse.headers.connection === 'close') {
      onLeaving();
    }
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
