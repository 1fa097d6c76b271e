import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { eventually, listenOnLoopback } from '@meridian/testing';
import { Webhook } from 'standardwebhooks';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A receiver of webhooks, which responds with 204 unless `respond` does something else. */
export async function startReceiver() {
  const received: Received[] = [];
  const control: { respond: (request: IncomingMessage, response: ServerResponse) => void } = {
    respond: (_request, response) => response.writeHead(204).end(),
  };
  const server = await listenOnLoopback(
    createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (part: string) => (body += part));
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        received.push({ path: request.url ?? '', headers, body });
        control.respond(request, response);
      });
    }),
  );
  return {
    url: server.url,
    received,
    close: () => server.close(),
    /** Responds to each request from now on. */
    set respond(respond: (request: IncomingMessage, response: ServerResponse) => void) {
      control.respond = respond;
    },
    /** The requests at a path, once there are so many. */
    async at(path: string, count: number): Promise<Received[]> {
      const found = () => received.filter((request) => request.path === path);
      await eventually(() => {
        if (found().length < count) {
          throw new Error(`${found().length} requests at ${path} instead of ${count}`);
        }
      });
      return found();
    },
  };
}

/** The event of a request, if the signature is valid; throws otherwise. */
export function verify({ body, headers }: Received, secret: string): Record<string, unknown> {
  return new Webhook(secret).verify(body, headers) as Record<string, unknown>;
}
