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
import { connectConfiguredRedis, ofGraph } from '../stores/connect-configured-redis.ts';
import type { InvalidationOrigin, ResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import { createResponseCacheMetrics } from '../telemetry/response-cache-metrics.ts';
import type { CacheOptions } from './cached-call.ts';
import { createEntryStore } from './entry-store.ts';
import { invalidateByExtensions, invalidate } from './invalidate.ts';
import type { CachedSubgraph, CachedSubgraphs, Invalidation } from './invalidate.ts';
import { serveInvalidations } from './serve-invalidations.ts';

/** The caches of one supergraph. */
export interface OpenedCaches {
  readonly subgraphs: CachedSubgraphs;
  readonly open: OpenCache;
  /** Closes the connections that no other supergraph uses. */
  readonly close: () => void;
}

/** The interceptors of one subgraph; empty where its responses are not kept. */
export type OpenCache = (
  subgraph: Pick<CacheOptions, 'subgraph' | 'place' | 'responseRules'>,
) => readonly SubgraphInterceptor<Run>[];

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

type Endpoint = NonNullable<ResponseCacheConfig['endpoint']>;

interface UsedConnection {
  readonly opened: Promise<RedisConnection>;
  /** The number of supergraphs' caches that use it. */
  uses: number;
}

/** The caches of subgraphs' responses, and the endpoint that invalidates them, for the life of the process. */
export class ResponseCaches {
  readonly #options: ResponseCachesOptions;
  /** By their settings. */
  readonly #connections = new Map<string, UsedConnection>();
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
    const { cacheResponses } = await import('./cache-responses.ts');
    const { graph, propagation } = this.#options.config;
    const traceField = propagation?.request?.headerName.toLowerCase() ?? [];
    const metrics = (this.#metrics ??= createResponseCacheMetrics(this.#options.metrics));
    const found = new Map<string, CachedSubgraph & Pick<CacheOptions, 'settings'>>();
    const used: UsedConnection[] = [];
    const close = (): void => used.forEach((connection) => this.#release(connection));
    try {
      for (const { name } of supergraph.subgraphs) {
        const settings = config.settingsOf(name);
        if (settings !== undefined) {
          const { namespace, ...redis } = settings.redis ?? processRedis;
          const connection = this.#use(settings);
          used.push(connection);
          const store = createEntryStore({
            // oxlint-disable-next-line no-await-in-loop -- a few, at the start
            redis: await connection.opened,
            namespace: ofGraph(namespace, graph),
            subgraph: name,
            timeouts: {
              fetch: redis.fetch_timeout,
              insert: redis.insert_timeout,
              invalidate: redis.invalidate_timeout,
            },
          });
          const ignoredHeaders = new Set([...settings.ignoredHeaders].concat(traceField));
          const { sharedKey } = settings;
          found.set(name, { store, sharedKey, settings: { ...settings, ignoredHeaders } });
        }
      }
      await this.#listen(config.endpoint);
    } catch (error) {
      close();
      throw error;
    }
    const byExtensions = [...found.values()].some(({ sharedKey }) => sharedKey !== undefined)
      ? [invalidateByExtensions((list) => this.#invalidate(list, 'extensions', found), this.#options.logger)]
      : [];
    return {
      subgraphs: found,
      open(target) {
        const own = found.get(target.subgraph);
        return own === undefined
          ? byExtensions
          : [cacheResponses({ ...target, ...own, supergraph, metrics }), ...byExtensions];
      },
      close,
    };
  }

  /** The gateway with the endpoint in front of it, where that has the address of clients. */
  inFront(app: ServeExchange, { endpoint }: Pick<ResponseCacheConfig, 'endpoint'>): ServeExchange {
    return endpoint === undefined || endpoint.listen !== undefined ? app : this.#serve(app, endpoint.path);
  }

  async close(): Promise<void> {
    const closeListener = await this.#listener?.catch(() => undefined);
    closeListener?.();
    await Promise.all(Array.from(this.#connections.values(), closeConnection));
  }

  #use({ redis, section }: CacheSettings): UsedConnection {
    const { config, logger } = this.#options;
    const key = JSON.stringify(redis ?? null);
    const known = this.#connections.get(key);
    if (known !== undefined) {
      known.uses += 1;
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
    const connection = { opened, uses: 1 };
    this.#connections.set(key, connection);
    return connection;
  }

  #release(connection: UsedConnection): void {
    connection.uses -= 1;
    if (connection.uses === 0) {
      for (const [key, known] of this.#connections) {
        if (known === connection) {
          this.#connections.delete(key);
        }
      }
      void closeConnection(connection);
    }
  }

  async #listen(endpoint: Endpoint | undefined): Promise<void> {
    if (endpoint?.listen !== undefined) {
      this.#listener ??= this.#openListener(endpoint.listen, endpoint.path).catch((error: unknown) => {
        // The next configuration tries again.
        this.#listener = undefined;
        throw error;
      });
    }
    await this.#listener;
  }

  async #openListener(address: NonNullable<Endpoint['listen']>, path: string): Promise<() => void> {
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
    const cached = (): CachedSubgraphs => this.#inForce() ?? new Map();
    return serveInvalidations(app, {
      path,
      cached,
      invalidate: (list) => this.#invalidate(list, 'endpoint', cached()),
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

async function closeConnection({ opened }: UsedConnection): Promise<void> {
  const connection = await opened.catch(() => undefined);
  connection?.close();
}
