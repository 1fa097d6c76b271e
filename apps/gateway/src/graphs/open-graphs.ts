import type { Caller } from '@meridian/auth';
import { authenticationRequired } from '@meridian/auth';
import type { AdminRoute, Exchange, ServeExchange, UpgradeListener } from '@meridian/http';
import { Problem, problem } from '@meridian/problem-details';
import { RouterConfigError } from '@meridian/router-config';

import type { GatewayConfig } from '../config/gateway-config.ts';
import type { GraphRule } from '../config/graph-rules.ts';
import { verifiesTokens } from '../config/issuers.ts';
import { logNotes } from '../config/log-notes.ts';
import { createVerifiers } from '../config/verifiers.ts';
import { requestError } from '../errors/request-error.ts';
import type { Gateway, GatewayOptions } from '../gateway.ts';
import { openGateway } from '../gateway.ts';
import { createCookieCheck } from '../interceptors/check-cookie-page.ts';
import { identifyCaller } from '../pipeline/2-identify/identify-caller.ts';
import { createTokenSources } from '../pipeline/2-identify/token-sources.ts';
import { createExportErrors } from '../telemetry/export-errors.ts';
import { pushMetrics } from '../telemetry/push-metrics.ts';
import type { GraphsOfPlace } from './graph-table.ts';
import { createGraphTable, leadsToGraph } from './graph-table.ts';
import { createRejections } from './reject-requests.ts';
import { shareLoad } from './share-load.ts';

export interface GraphsOptions extends Omit<GatewayOptions, 'readConfig' | 'createLoad' | 'serveOperation'> {
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
  const { config, readGraphConfig, logger, metrics } = options;
  const configs = config.graphs.map((rule) => ({ rule, own: readGraphConfig(rule) }));
  checkCallbacks(configs.map(({ own }) => own));
  const load = shareLoad(config.load);
  const opened = new Map<string, Gateway>();
  const closeAll = async (): Promise<void> =>
    void (await Promise.all(Array.from(opened.values(), (gateway) => gateway.close())));

  const verifiers = createVerifiers(logger);
  const identity = {
    verifier: verifiesTokens(config) ? verifiers.verifierOf(config) : undefined,
    isRequired: false,
    sources: createTokenSources(config.file, createCookieCheck(config.file)),
  };
  const reject = await createRejections({ config, logger, metrics: metrics.createPart({ graph: '' }) });

  const serveByClaim = async (exchange: Exchange, places: readonly Place[]): Promise<void> => {
    try {
      const caller = await identifyCaller(exchange, identity);
      const gateway = graphFor(caller, places);
      void gateway.serve(exchange);
    } catch (error) {
      reject(exchange, error);
    }
  };
  const serve: ServeExchange = (exchange) => {
    const places = find(exchange);
    const [place] = places;
    if (place === undefined) {
      reject(exchange, noGraph());
    } else if (place.byClaim.length === 0 || exchange.method === 'OPTIONS') {
      // A preflight has no token.
      void (place.forOthers ?? place.byClaim[0]?.graph)?.serve(exchange);
    } else {
      void serveByClaim(exchange, places);
    }
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
      serveOperation: serve,
    });
    opened.set(rule.name, gateway);
  };
  const results = await Promise.allSettled(configs.map(({ rule, own }) => open(rule, own)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) {
    await closeAll();
    verifiers.close();
    throw failed.reason;
  }
  const graphOf = (name: string): Gateway => {
    const gateway = opened.get(name);
    if (gateway === undefined) {
      throw new Error(`the graph ${name} is not open`);
    }
    return gateway;
  };
  const find = createGraphTable(config.graphs, graphOf);
  const pusher =
    config.metricsPush &&
    (await pushMetrics(config.metricsPush, { logger, metrics, exportErrors: createExportErrors(metrics) }));

  return {
    serve,
    upgrade: upgradeAny((request) =>
      find(request)
        .flatMap(({ byClaim, forOthers }) => [forOthers, byClaim.map(({ graph }) => graph)])
        .flat()
        .filter((gateway) => gateway !== undefined),
    ),
    adminRoutes: joinAdminRoutes([...opened.values()]),
    health: () => ({
      graphs: Object.fromEntries(
        config.graphs.map(({ name }) => [name, { status: 'UP', ...graphOf(name).health() }]),
      ),
    }),
    async close() {
      await closeAll();
      verifiers.close();
      await pusher?.close(config.shutdownGraceMs * 0.2);
    },
  };
}

type Place = GraphsOfPlace<Gateway>;

/** @throws {RequestError} UNAUTHENTICATED or NOT_FOUND */
function graphFor(caller: Caller | undefined, places: readonly Place[]): Gateway {
  for (const { byClaim, forOthers } of places) {
    const ofClaim = byClaim.find(({ claim }) => leadsToGraph(caller?.claims?.get(claim.name), claim.values));
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

/** @throws {RouterConfigError} for two graphs whose subgraphs would call back at one address */
function checkCallbacks(configs: readonly GatewayConfig[]): void {
  const addresses = new Map<string, string | undefined>();
  for (const { graph, callbacks } of configs) {
    if (callbacks !== undefined && callbacks.listen.port !== 0) {
      const address = `${callbacks.listen.host}:${callbacks.listen.port}`;
      if (addresses.has(address)) {
        throw new RouterConfigError([
          `subscription.mode.callback.listen: the graphs ${addresses.get(address)} and ${graph} have the same address, ${address}; set another one in the files that meridian.graphs.*.config names`,
        ]);
      }
      addresses.set(address, graph);
    }
  }
}
