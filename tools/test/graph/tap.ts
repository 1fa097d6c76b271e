import { buffer } from 'node:stream/consumers';

import { listenOnLoopback } from '../../../packages/development/testing/src/index.ts';
import type { LoopbackServer } from '../../../packages/development/testing/src/index.ts';

/** The gateway's request to a subgraph. */
export interface SubgraphRequest {
  readonly representations: readonly unknown[] | undefined;
}

/** A server in front of a subgraph that passes requests on, and keeps what it has seen. */
export interface Tap extends Pick<LoopbackServer, 'url' | 'close'> {
  /** In the order of arrival. */
  readonly seen: SubgraphRequest[];
}

/** Listens in front of the subgraph at `url`. */
export async function tapInto(url: string): Promise<Tap> {
  const seen: SubgraphRequest[] = [];
  const server = await listenOnLoopback((request, response) => {
    void (async () => {
      const body = await buffer(request);
      const { variables } = JSON.parse(body.toString()) as { variables?: { representations?: unknown[] } };
      seen.push({ representations: variables?.representations });
      const httpResponse = await fetch(new URL(request.url ?? '/', url), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: request.headers.authorization ?? '',
        },
        body,
      });
      response.writeHead(httpResponse.status, {
        'content-type': httpResponse.headers.get('content-type') ?? 'application/json',
      });
      response.end(Buffer.from(await httpResponse.arrayBuffer()));
    })();
  });
  return { url: server.url, seen, close: () => server.close() };
}
