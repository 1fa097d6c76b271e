import type { Caller } from '@meridian/auth';
import { authenticationRequired } from '@meridian/auth';
import type { AdminRoute, Exchange, RequestHead, ServeExchange, UpgradeListener } from '@meridian/http';
import { isSocketPath, targetOf } from '@meridian/http';
import { Problem, problem } from '@meridian/problem-details';
import { RouterConfigError } from '@meridian/router-config';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { GraphRule } from '../config/graph-rules.ts';
import type { Address } from '../config/listen-addresses.ts';
import { verifiesTokens, withAudiences } from '../config/issuers.ts';
import { logNotes } from '../config/log-notes.ts';
import { createVerifiers } from '../config/verifiers.ts';
import { requestError } from '../errors/request-error.ts';
import type { Gateway, GatewayOptions, GraphGateway } from '../gateway.ts';
import { openGateway } from '../gateway.ts';
import { createCookieCheck } from '../interceptors/cors.ts';
import type { IdentityOptions } from '../pipeline/2-identify/identify-caller.ts';
import { identifyCaller } from '../pipeline/2-identify/identify-caller.ts';
import { createTokenSources } from '../pipeline/2-identify/token-sources.ts';
import { reloadConfig } from '../reload/reload-config.ts';
import { fingerprintFiles } from '../reload/watch-files.ts';
import { createExportErrors, pushMetrics } from '../telemetry/push-metrics.ts';
import { createReloadMetrics } from '../telemetry/reload-metrics.ts';
import type { GraphsOfPlace } from './graph-table.ts';
import { hasClaim } from '../operation/has-claim.ts';
import { createGraphTable } from './graph-table.ts';
import { createRejections } from './reject-requests.ts';
import { shareLoad } from './share-load.ts';

export interface GraphsOptions extends Omit<GatewayOptions, 'createLoad' | 'operations'> {
  /** Reads the configuration of a graph, at the start and when one of its files has changed. */
  readonly readGraphConfig: (graph: GraphRule) => GatewayConfig;
}

/**
 * Opens the graphs of `meridian.graphs`: each is a gateway of its own, with its own planner, limits, caches and reload.
 * They share the process with its listeners, and the limits of its load.
 *
 * @throws {RouterConfigError}, {SupergraphError}, {ManifestError} or {RemoteFileError} when one of them cannot be opened;
 *   nothing stays open then
 */
export async function openGraphs(options: GraphsOptions): Promise<Gateway> {
  const {
    config,
    readConfig,
    readGraphConfig,
    logger,
    metrics,
    checkFilesEveryMs: checkEveryMs = 1000,
  } = options;
  const seen = fingerprintFiles(config.configPaths);
  const configs = config.graphs.map((rule) => ({ rule, own: readGraphConfig(rule) }));
  checkListeners(configs.map(({ own }) => own));
  const load = shareLoad(config.load);
  const opened = new Map<string, GraphGateway>();
  const verifiers = createVerifiers(logger);
  const closeAll = async (): Promise<void> => {
    await Promise.all(Array.from(opened.values(), (gateway) => gateway.close()));
    verifiers.close();
  };
  const orCloseAll = async (error: unknown): Promise<never> => {
    await closeAll();
    throw error;
  };
  const identityOf = (current: GatewayConfig): IdentityOptions => ({
    verifier: verifiesTokens(current) ? verifiers.verifierOf(current) : undefined,
    isRequired: false,
    sources: createTokenSources(current.file, createCookieCheck(current.file)),
  });
  let current = config;
  let identity = identityOf(config);
  /** Tokens for tools may have an audience of their own. The graph that is chosen verifies them by its own again. */
  const identityAt = (exchange: Exchange, places: readonly Place[]): IdentityOptions => {
    const { path } = targetOf(exchange);
    const audiences = reachable(places).flatMap((gateway) => {
      const tools = gateway.tools();
      return (tools?.path === path ? tools.audiences : undefined) ?? [];
    });
    if (audiences.length === 0) {
      return identity;
    }
    const trusted = withAudiences(current, (own) => own && [...[own].flat(), ...audiences]);
    return { verifier: verifiers.verifierOf(trusted), isRequired: false };
  };
  const rejections = await createRejections({ config, logger, metrics }).catch(orCloseAll);

  /** Finds the graph of a request, and passes it on. */
  const passOn = async (exchange: Exchange, places: readonly Place[], serveBy: ServeBy): Promise<void> => {
    try {
      checkRoomOf(reachable(places));
      serveBy(graphFor(await identifyCaller(exchange, identityAt(exchange, places)), places), exchange);
    } catch (error) {
      rejections.reject(exchange, error, true);
    }
  };
  const serveWith =
    (serveBy: ServeBy): ServeExchange =>
    (exchange) => {
      const places = find(exchange);
      const [place] = places;
      const graph = place && graphOfAll(place, exchange);
      if (place === undefined) {
        rejections.reject(exchange, noGraph(), false);
      } else if (graph === undefined) {
        void passOn(exchange, places, serveBy);
      } else {
        serveBy(graph, exchange);
      }
    };
  const operations: GatewayOptions['operations'] = {
    // The graph that an operation is for may have other rules than the one that has taken the connection.
    serve: serveWith((gateway, exchange) => {
      try {
        gateway.webSockets.check(exchange);
      } catch (error) {
        rejections.reject(exchange, error instanceof Problem ? requestErrorOf(error) : error, false);
        return;
      }
      void gateway.serve(exchange);
    }),
    async checkCredentials(sender) {
      const request = { ...sender, method: 'POST' };
      const places = find(request);
      const [place] = places;
      const gateway =
        (place && graphOfAll(place, request)) ?? graphFor(await identifyCaller(sender, identity), places);
      await gateway.webSockets.checkCredentials(sender);
    },
  };

  const open = async (rule: GraphRule, own: GatewayConfig): Promise<void> => {
    const ofGraph = logger.child({ graph: rule.name });
    logNotes({ ...own, notes: own.notes.filter((note) => !config.notes.includes(note)) }, ofGraph);
    const gateway = await openGateway({
      ...options,
      config: own,
      readConfig: () => readGraphConfig(rule),
      logger: ofGraph,
      metrics: metrics.createPart({ graph: rule.name }),
      createLoad: load.createLoadOf(rule.name),
      operations,
    });
    opened.set(rule.name, gateway);
  };
  const results = await Promise.allSettled(configs.map(({ rule, own }) => open(rule, own)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    return await orCloseAll(failed.reason);
  }
  const graphOf = (name: string): GraphGateway => {
    const gateway = opened.get(name);
    if (gateway === undefined) {
      throw new Error(`the graph ${name} is not open`);
    }
    return gateway;
  };
  const find = createGraphTable(config.graphs, graphOf);
  const pusher =
    config.metricsPush &&
    (await pushMetrics(config.metricsPush, {
      logger,
      metrics,
      exportErrors: createExportErrors(metrics),
    }).catch(orCloseAll));

  const reload =
    readConfig &&
    reloadConfig({
      config,
      seen,
      read: readConfig,
      apply(next) {
        current = next;
        identity = identityOf(next);
        rejections.configure(next);
        load.resize(next.load);
        return Promise.resolve();
      },
      onReload: createReloadMetrics(metrics).countReload,
      logger,
      checkEveryMs,
    });

  return {
    serve: serveWith((gateway, exchange) => void gateway.serve(exchange)),
    upgrade: upgradeAny((request) => reachable(find(request))),
    adminRoutes: joinAdminRoutes([...opened.values()]),
    health: () => ({
      graphs: Object.fromEntries(
        config.graphs.map(({ name }) => [name, { status: 'UP', ...graphOf(name).health() }]),
      ),
    }),
    async close() {
      await reload?.close();
      await closeAll();
      await pusher?.close(config.shutdownGraceMs * 0.2);
    },
  };
}

type Place = GraphsOfPlace<GraphGateway>;
type ServeBy = (gateway: GraphGateway, exchange: Exchange) => void;

/** The metadata of an endpoint for MCP (RFC 9728 §3): clients read them before they have a token. */
const resourceMetadata = /^\/\.well-known\/oauth-protected-resource(?:\/|$)/u;

/** The graph that a request is for whatever its caller; undefined where that depends on the caller. */
function graphOfAll({ byClaim, forOthers }: Place, request: RequestHead): GraphGateway | undefined {
  const [first] = byClaim;
  if (first === undefined) {
    return forOthers;
  }
  if (resourceMetadata.test(targetOf(request).path)) {
    return forOthers ?? (byClaim.find(({ graph }) => graph.tools() !== undefined) ?? first).graph;
  }
  // A preflight has no token.
  return request.method === 'OPTIONS' ? (forOthers ?? first.graph) : undefined;
}

/** The graphs that a request may be for, by its caller. */
function reachable(places: readonly Place[]): readonly GraphGateway[] {
  const last = places.findIndex(({ forOthers }) => forOthers !== undefined);
  return places
    .slice(0, last === -1 ? undefined : last + 1)
    .flatMap(({ byClaim, forOthers }) => [forOthers, byClaim.map(({ graph }) => graph)])
    .flat()
    .filter((gateway) => gateway !== undefined);
}

/** @throws {RequestError} REQUEST_CONCURRENCY_LIMITED or SERVICE_OVERLOADED where none of the graphs has room */
function checkRoomOf(gateways: readonly GraphGateway[]): void {
  let rejection: unknown;
  for (const { checkRoom } of gateways) {
    try {
      checkRoom();
      return;
    } catch (error) {
      rejection = error;
    }
  }
  throw rejection;
}

function requestErrorOf({ status, detail }: Problem): Error {
  return requestError(status === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', detail);
}

/** @throws {RequestError} UNAUTHENTICATED or NOT_FOUND */
function graphFor(caller: Caller | undefined, places: readonly Place[]): GraphGateway {
  for (const { byClaim, forOthers } of places) {
    const ofClaim = byClaim.find(({ claim }) => hasClaim(caller, claim));
    const graph = ofClaim?.graph ?? forOthers;
    if (graph !== undefined) {
      return graph;
    }
  }
  throw caller === undefined ? unauthenticated() : noGraph();
}

function unauthenticated(): Error {
  const { detail, headers } = authenticationRequired();
  return requestError('UNAUTHENTICATED', detail, { headers });
}

function noGraph(): Error {
  return requestError('NOT_FOUND', 'No graph is at this host and path for this caller');
}

/** The first graph that takes the connection has it: each of its operations goes to the graph that it is for. */
function upgradeAny(
  candidates: (request: Parameters<UpgradeListener>[0]) => readonly Gateway[],
): UpgradeListener {
  return (request, socket, head) => {
    let rejection = problem('route-not-found', 'No graph is at this host and path.');
    for (const { upgrade } of candidates(request)) {
      try {
        upgrade(request, socket, head);
        return;
      } catch (error) {
        if (!(error instanceof Problem)) {
          throw error;
        }
        rejection = error;
      }
    }
    throw rejection;
  };
}

/** A path of several graphs has the response of the first that knows the answer. */
function joinAdminRoutes(gateways: readonly Gateway[]): Readonly<Record<string, AdminRoute>> {
  const paths = new Set(gateways.flatMap(({ adminRoutes }) => Object.keys(adminRoutes)));
  const routeAt =
    (path: string): AdminRoute =>
    async (request) => {
      const routes = gateways.flatMap(({ adminRoutes }) => adminRoutes[path] ?? []);
      const responses = await Promise.all(routes.map(async (route) => await route(request)));
      const [first] = responses.toSorted((one, other) => one.status - other.status);
      if (first === undefined) {
        throw problem('route-not-found', 'The admin listener has no such path.');
      }
      return first;
    };
  return Object.fromEntries(Array.from(paths, (path) => [path, routeAt(path)]));
}

/** @throws {RouterConfigError} for two graphs that would listen on one address, and one that would with clients */
function checkListeners(configs: readonly GatewayConfig[]): void {
  if (configs.some(({ callbacks }) => callbacks?.isAtClients === true)) {
    throw new RouterConfigError([
      'subscription.mode.callback.listen: needs a port of its own, apart from supergraph.listen, with meridian.graphs',
    ]);
  }
  checkAddresses('subscription.mode.callback.listen', configs, ({ callbacks }) => callbacks?.listen);
  checkAddresses(
    'response_cache.invalidation.listen',
    configs,
    (config) => config.responseCache?.endpoint?.listen,
  );
}

function checkAddresses(
  key: string,
  configs: readonly GatewayConfig[],
  listenOf: (config: GatewayConfig) => Address | undefined,
): void {
  const addresses = new Map<string, string | undefined>();
  for (const config of configs) {
    const { graph } = config;
    const listen = listenOf(config);
    // Port 0 is another one each time; the path of a socket has it too.
    if (listen !== undefined && (listen.port !== 0 || isSocketPath(listen.host))) {
      const address = isSocketPath(listen.host) ? listen.host : `${listen.host}:${listen.port}`;
      if (addresses.has(address)) {
        throw new RouterConfigError([
          `${key}: the graphs ${addresses.get(address)} and ${graph} have the same address, ${address}; set another one in the files that meridian.graphs.*.config names`,
        ]);
      }
      addresses.set(address, graph);
    }
  }
}
