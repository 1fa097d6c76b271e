import type { SubgraphInterceptor, Supergraph } from '@meridian/executor';
import type { RenderProblem, ServeExchange } from '@meridian/http';
import { createHttpServer, listen } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { RedisConnection } from '@meridian/shared-state';
import { connectRedis } from '@meridian/shared-state';
import type { Logger, Metrics } from '@meridian/telemetry';
import { createMetrics } from '@meridian/telemetry';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { CacheSettings, ResponseCacheConfig } from '../config/response-cache-config.ts';
import type { Run } from '../operation/run.ts';
import { connectConfiguredRedis } from '../stores/connect-configured-redis.ts';
import { ofGraph } from '../stores/of-graph.ts';
import type { ResponseRules } from '../subgraphs/response-fields.ts';
import type { InvalidationOrigin, ResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import { createResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import { cacheResponses } from './cache-responses.ts';
import { createEntryStore } from './entry-store.ts';
import type { CachedSubgraph, CachedSubgraphs, Invalidation } from './invalidate.ts';
import { invalidate } from './invalidate.ts';
import { invalidateByExtensions } from './invalidate-by-extensions.ts';
import { serveInvalidations } from './serve-invalidations.ts';

/** The caches of one supergraph. */
export interface OpenedCaches {
  readonly subgraphs: CachedSubgraphs;
  readonly open: OpenCache;
}

/** The interceptors of one subgraph; empty where its responses are not kept. */
export type OpenCache = (subgraph: CachedTarget) => readonly SubgraphInterceptor<Run>[];

export interface CachedTarget {
  readonly name: string;
  readonly url: string;
  /** For the header fields that clients get; undefined where there are none. */
  readonly responseRules: ResponseRules | undefined;
}

export interface ResponseCachesOptions {
  readonly config: Pick<GatewayConfig, 'graph' | 'propagation' | 'redisUrl'>;
  readonly metrics: Metrics;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
}

/** The defaults of router.yaml, for the Redis of the process. */
const processRedis = {
  namespace: 'response-cache',
  fetch_timeout: 150,
  insert_timeout: 500,
  invalidate_timeout: 1000,
};

/** The caches of subgraphs' responses, and the endpoint that invalidates them, for the life of the process. */
export class ResponseCaches {
  readonly #options: ResponseCachesOptions;
  /** By their settings. */
  readonly #connections = new Map<string, Promise<RedisConnection>>();
  #metrics: ResponseCacheMetrics | undefined;
  #inForce: () => CachedSubgraphs | undefined = () => undefined;
  #listener: Promise<() => void> | undefined;

  constructor(options: ResponseCachesOptions) {
    this.#options = options;
  }

  /** @param inForce the caches that the endpoint invalidates */
  follow(inForce: () => CachedSubgraphs | undefined): void {
    this.#inForce = inForce;
  }

  /**
   * Opens the caches of a supergraph's subgraphs; undefined where none is configured.
   *
   * @throws {RouterConfigError} for a Redis that is required, and does not respond
   * @throws {ListenError}
   */
  async open(
    config: ResponseCacheConfig | undefined,
    supergraph: Supergraph,
  ): Promise<OpenedCaches | undefined> {
    if (config === undefined) {
      return undefined;
    }
    const { graph, propagation } = this.#options.config;
    const traceField = propagation?.request?.headerName.toLowerCase() ?? [];
    const { logger } = this.#options;
    const metrics = (this.#metrics ??= createResponseCacheMetrics(this.#options.metrics));
    const found = new Map<string, CachedSubgraph & { readonly settings: CacheSettings }>();
    for (const { name } of supergraph.subgraphs) {
      const settings = config.settingsOf(name);
      if (settings !== undefined) {
        const redis = settings.redis ?? processRedis;
        const store = createEntryStore({
          // oxlint-disable-next-line no-await-in-loop -- a few, at the start
          redis: await this.#connect(settings),
          namespace: ofGraph(redis.namespace, graph),
          subgraph: name,
          timeouts: {
            fetch: redis.fetch_timeout,
            insert: redis.insert_timeout,
            invalidate: redis.invalidate_timeout,
          },
        });
        const ignoredHeaders = new Set([...settings.ignoredHeaders].concat(traceField));
        found.set(name, { store, sharedKey: settings.sharedKey, settings: { ...settings, ignoredHeaders } });
      }
    }
    await this.#listen(config);
    const byExtensions = [...found.values()].some(({ sharedKey }) => sharedKey !== undefined)
      ? invalidateByExtensions((list) => this.#invalidate(list, 'extensions', found), logger)
      : undefined;
    const open: OpenCache = ({ name, ...target }) => {
      const own = found.get(name);
      return [
        ...(own === undefined
          ? []
          : [cacheResponses({ ...target, ...own, subgraph: name, supergraph, metrics })]),
        ...(byExtensions === undefined ? [] : [byExtensions]),
      ];
    };
    return { subgraphs: found, open };
  }

  /** The gateway with the endpoint in front of it, where that has the address of clients. */
  inFront(app: ServeExchange, { endpoint }: Pick<ResponseCacheConfig, 'endpoint'>): ServeExchange {
    return endpoint === undefined || endpoint.listen !== undefined ? app : this.#serve(app, endpoint.path);
  }

  async close(): Promise<void> {
    const [listener, ...connections] = await Promise.allSettled([
      this.#listener,
      ...this.#connections.values(),
    ]);
    if (listener.status === 'fulfilled') {
      listener.value?.();
    }
    for (const connection of connections) {
      if (connection.status === 'fulfilled') {
        connection.value.close();
      }
    }
  }

  #connect({ redis, section }: CacheSettings): Promise<RedisConnection> {
    const { config, logger } = this.#options;
    const key = JSON.stringify(redis ?? null);
    const known = this.#connections.get(key);
    if (known !== undefined) {
      return known;
    }
    const opened =
      redis === undefined
        ? connectRedis({ url: config.redisUrl ?? '', logger })
        : connectConfiguredRedis(
            section,
            { ...redis, timeout: Math.max(redis.fetch_timeout, redis.insert_timeout) },
            logger,
          );
    this.#connections.set(key, opened);
    // The next configuration tries again.
    opened.catch(() => this.#connections.delete(key));
    return opened;
  }

  #listen({ endpoint }: ResponseCacheConfig): Promise<unknown> | undefined {
    if (endpoint?.listen !== undefined) {
      const { listen: address, path } = endpoint;
      this.#listener ??= this.#openListener(address, path).catch((error: unknown) => {
        // The next configuration tries again.
        this.#listener = undefined;
        throw error;
      });
    }
    return this.#listener;
  }

  async #openListener(
    address: NonNullable<NonNullable<ResponseCacheConfig['endpoint']>['listen']>,
    path: string,
  ): Promise<() => void> {
    const { renderProblem, logger } = this.#options;
    const notHere = renderProblem(problem('route-not-found', 'Only invalidations are here.'));
    const { server, connections } = createHttpServer({
      serve: this.#serve((exchange) => exchange.send(notHere, []), path),
      renderProblem,
      logger,
      // Not the gateway's own: a listener has metrics with the same names.
      metrics: createMetrics({ service: 'gateway' }),
    });
    const opened = await listen(server, address);
    logger.info({ address: opened, path }, 'invalidations of responses are served');
    return () => {
      server.close();
      connections.closeAll();
    };
  }

  #serve(app: ServeExchange, path: string): ServeExchange {
    return serveInvalidations(app, {
      path,
      cached: () => this.#inForce() ?? noSubgraphs,
      invalidate: (list) => this.#invalidate(list, 'endpoint', this.#inForce() ?? noSubgraphs),
      logger: this.#options.logger,
    });
  }

  async #invalidate(
    list: readonly Invalidation[],
    origin: InvalidationOrigin,
    cached: CachedSubgraphs,
  ): Promise<number> {
    return this.#metrics === undefined
      ? 0
      : await invalidate(list, origin, { cached, metrics: this.#metrics });
  }
}

const noSubgraphs: CachedSubgraphs = new Map();
