import { once } from 'node:events';
import type { IncomingMessage, RequestListener, RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';

import type { HttpResponse, ListenAddress, RenderProblem, RunningService } from '@meridian/http';
import { createHttpServer, isSocketPath, listen, nodeHttp, sendResponse, targetOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { Logger, Metrics } from '@meridian/telemetry';

import type { Address } from '../config/listen-addresses.ts';

export interface ScrapeOptions {
  readonly scrapes: Address & { readonly path: string };
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/**
 * Opens one more listener for scrapes of a running gateway, where Apollo Router has its own. It passes on what the admin
 * listener responds, which speaks for all workers.
 *
 * @throws {ListenError}
 */
export async function listenForScrapes(
  service: RunningService,
  options: ScrapeOptions,
): Promise<RunningService> {
  const { scrapes, logger } = options;
  const { server, connections } = createHttpServer({
    ...options,
    handler: createScrapeHandler(reachable(service.adminAddress), options),
  });
  const address = await listen(server, scrapes).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  logger.info({ address, path: scrapes.path }, 'scrapes are served');
  return {
    ...service,
    async stop() {
      await service.stop();
      server.close();
      connections.closeAll();
    },
  };
}

function createScrapeHandler(
  admin: AdminTarget,
  { scrapes, renderProblem, logger }: ScrapeOptions,
): RequestListener {
  const respond = async (path: string): Promise<HttpResponse> => {
    if (path !== scrapes.path) {
      return renderProblem(problem('route-not-found', 'Only the metrics are here.'));
    }
    const arrived: unknown[] = await once(nodeHttp.get({ ...admin, path: '/metrics' }), 'response');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the event `response` has one
    const response = arrived[0] as IncomingMessage;
    return {
      status: response.statusCode ?? 503,
      headers: { 'Content-Type': response.headers['content-type'] ?? 'text/plain' },
      body: await text(response),
    };
  };
  return (request, response) => {
    void respond(targetOf(request).path)
      .catch((error: unknown) => {
        logger.error({ err: error }, 'a scrape failed');
        return renderProblem(problem('unavailable', 'The admin listener does not respond.'));
      })
      .then((httpResponse) => sendResponse(request, response, httpResponse));
  };
}

type AdminTarget = Pick<RequestOptions, 'host' | 'port' | 'socketPath'>;

/** A listener on every address is on loopback too. */
function reachable({ host, port }: ListenAddress): AdminTarget {
  const everywhere = new Map([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '::1'],
  ]);
  return isSocketPath(host) ? { socketPath: host } : { host: everywhere.get(host) ?? host, port };
}
