import type { AdminRoute, ServeExchange, UpgradeListener } from '@meridian/http';
import type { RouterConfig } from '@meridian/router-config';

import { openPipeline } from './assembly/open-pipeline.ts';
import type { ProcessOptions } from './assembly/process-parts.ts';
import { openProcessParts } from './assembly/process-parts.ts';
import type { HealthMembers } from './http/health-route.ts';
import { circuitsMember } from './http/health-route.ts';
import { reloadConfig } from './reload/reload-config.ts';
import type { Reloadable } from './reload/reloadable.ts';
import { fingerprintFiles } from './reload/watch-files.ts';
import { createWebSockets } from './websocket/web-sockets.ts';
import type { WebSocketOptions, WebSocketRules, WebSockets } from './websocket/web-sockets.ts';

export interface GatewayOptions extends ProcessOptions {
  /** Serves the operations of WebSockets, which may be for another graph than their connection. Default: this one. */
  readonly operations?: Pick<WebSocketOptions, 'serve' | 'checkCredentials'> | undefined;
}

/** A gateway that is ready for requests. */
export interface Gateway {
  readonly serve: ServeExchange;
  /** Takes connections as WebSockets. */
  readonly upgrade: UpgradeListener;
  /** Paths of the admin listener. */
  readonly adminRoutes: Readonly<Record<string, AdminRoute>>;
  /** For the health check. */
  readonly health: () => HealthMembers;
  readonly close: () => Promise<void>;
}

/** The gateway of one graph. */
export interface GraphGateway extends Gateway {
  /** Of WebSockets that another gateway has taken: checks whether this one would have. */
  readonly webSockets: Pick<WebSocketRules, 'checkCredentials'> & Pick<WebSockets, 'check'>;
  /**
   * Checks that there is room for a request, before its caller is known.
   *
   * @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED
   */
  readonly checkRoom: () => void;
  /** Where the operations of a manifest are tools, and for whose tokens; undefined where they are none. */
  readonly tools: () => Pick<RouterConfig['meridian']['mcp'], 'path' | 'audiences'> | undefined;
}

/**
 * Puts the gateway together: the parts that last as long as the process, and a pipeline for the configuration, which
 * is replaced when that changes. Requests under way finish on the pipeline that received them.
 *
 * @throws {SupergraphError}, {ManifestError} or {RemoteFileError} when one of them cannot be read at the start; nothing
 *   stays open then
 */
export async function openGateway(options: GatewayOptions): Promise<GraphGateway> {
  const { config, readConfig } = options;
  const seen = fingerprintFiles(config.configPaths);
  let reload: Pick<Reloadable, 'close' | 'reload'> | undefined;
  const parts = await openProcessParts(options, () => reload?.reload());
  const { observation, graphMetrics, streams } = parts;

  let current = await openPipeline(config, parts).catch(async (error: unknown) => {
    await parts.close();
    throw error;
  });
  parts.responseCaches.follow(() => current.graph().cachedSubgraphs);
  graphMetrics.watchCacheSize(() => current.graph().recentlyUsed().length);
  parts.reloadMetrics.watchRunning(() => current.running());
  const retiring = new Set<Promise<void>>();
  reload =
    readConfig &&
    reloadConfig({
      config,
      seen,
      read: readConfig,
      async apply(next) {
        const replaced = current;
        current = await openPipeline(next, parts, replaced.graph());
        streams.endAll('config_reload');
        const retired = replaced.close().finally(() => retiring.delete(retired));
        retiring.add(retired);
      },
      ...parts.reloads,
    });

  const serveGraph: ServeExchange = (exchange) => {
    const { requests, serve: serveRequest } = current;
    exchange.onEnd(requests.acquire());
    void serveRequest(exchange);
  };
  const serve: ServeExchange =
    config.callbacks?.isAtClients === true
      ? (exchange) => (parts.subscriptions.takeCallback(exchange) ? undefined : serveGraph(exchange))
      : serveGraph;
  const webSockets = createWebSockets({
    rules: () => current.webSockets,
    serve,
    ...options.operations,
    logger: parts.logger,
  });
  options.stopping?.addEventListener('abort', () => webSockets.close());

  return {
    serve,
    upgrade: webSockets.upgrade,
    webSockets: {
      check: webSockets.check,
      checkCredentials: (sender) => current.webSockets.checkCredentials(sender),
    },
    checkRoom: () => current.checkRoom(),
    tools: () => current.tools,
    adminRoutes: observation.adminRoutes,
    health: () => circuitsMember(graphMetrics.openCircuits()),
    async close() {
      parts.hookFiles.close();
      await reload?.close();
      streams.close();
      webSockets.close();
      await Promise.all([current.close(), ...retiring]);
      await parts.close();
    },
  };
}
