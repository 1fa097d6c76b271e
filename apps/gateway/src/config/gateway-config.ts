import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { ConfigFile, RouterConfig } from '@meridian/router-config';
import { RouterConfigError, readRouterConfig } from '@meridian/router-config';
import type { LogFormat } from '@meridian/telemetry';

import { clientTransport } from './client-transport.ts';
import { maskOptions } from './error-exposure.ts';
import { explainSettings } from './explain-config.ts';
import type { Environment, GatewayEnvironment } from './gateway-environment.ts';
import { readGatewayEnvironment } from './gateway-environment.ts';
import type { GraphRule } from './graph-rules.ts';
import { graphFaults, graphOverlay, graphRules } from './graph-rules.ts';
import { trustedKeys } from './issuers.ts';
import { graphPaths, listenAddresses } from './listen-addresses.ts';
import { metricsConfig } from './metrics-config.ts';
import { withOtelVariables } from './otel-environment.ts';
import { manifestFiles, sourceFiles } from './remote-files.ts';
import { responseCacheConfig } from './response-cache-config.ts';
import { startChecks } from './start-checks.ts';
import { subgraphsConfig } from './subgraph-settings.ts';
import { callbackListening, subscriptionsConfig } from './subscriptions-config.ts';
import { propagationOptions, tracingConfig } from './tracing-config.ts';
import { trafficLimits } from './traffic-limits.ts';

/** The gateway's configuration: the environment, and router.yaml with what follows from it. */
export type GatewayConfig = ReturnType<typeof readConfig>;

/** `apq.router.cache`. */
export type AutomaticQuerySettings = RouterConfig['apq']['router']['cache'];

/** `supergraph.query_planning.cache.redis`. */
export type RedisPlanSettings = NonNullable<RouterConfig['supergraph']['query_planning']['cache']['redis']>;

/**
 * Reads the configuration of one graph of several: router.yaml with the graph's own file over it.
 *
 * @throws {EnvironmentError} or {RouterConfigError}, also where the file sets what the process has once
 */
export function readGraphConfig(env: Environment, graph: GraphRule): GatewayConfig {
  const config = readConfig(env, graph);
  const faults = graphFaults(graph, config.file, readConfig(env).file);
  if (faults.length > 0) {
    throw new RouterConfigError(faults);
  }
  return config;
}

/**
 * Reads the gateway's configuration.
 *
 * @throws {EnvironmentError} or {RouterConfigError}, each of which lists all faults
 */
export function readConfig(env: Environment, graph?: GraphRule) {
  const environment = readGatewayEnvironment({
    ...env,
    ...(graph?.supergraph !== undefined && { SUPERGRAPH_PATH: graph.supergraph }),
  });
  const { mode } = environment;
  const configPaths = [
    environment.ROUTER_CONFIG_PATH,
    environment.ROUTER_CONFIG_OVERLAY_PATH,
    graph?.config,
  ].filter((path) => path !== undefined);
  const files = [...configPaths.map(readConfigFile), ...(graph === undefined ? [] : [graphOverlay(graph)])];
  const expandedFiles = new Set<string>();
  const {
    config: read,
    notes,
    ignored,
  } = readRouterConfig({
    files,
    env,
    readFile(path) {
      expandedFiles.add(path);
      return readFileSync(path, 'utf8');
    },
    mode,
    ignoresUnsupported: environment.UNSUPPORTED_KEYS === 'warn',
    check: (parsed) => startChecks(parsed, environment, graph !== undefined),
  });
  const file = { ...read, telemetry: withOtelVariables(read.telemetry, environment) };
  const { apq, meridian, persisted_queries: queries, supergraph } = file;
  const { WEB_CONCURRENCY: workers, REDIS_URL: redisUrl } = environment;
  const propagation = propagationOptions(file);
  return Object.freeze({
    /** router.yaml with its overlay. */
    file,
    /** The graphs of the process by name; empty where it has one, without a name. */
    graphs: graphRules(file),
    /** The graph that this is the configuration of, by its name; undefined where there are no names. */
    graph: graph?.name,
    ...listenAddresses(file, environment),
    ...clientTransport(file),
    /** True when clients connect over TLS. */
    isSecure: file.tls.supergraph !== undefined,
    /** The files whose texts are values of router.yaml: `${file.path}`. */
    expandedFiles: [...expandedFiles],
    ...metricsConfig(file),
    ...trustedKeys(file, environment),
    ...trafficLimits(file, { workers, hasRedis: redisUrl !== undefined }),
    ...sourceFiles(environment, manifestFiles(file)),
    /** The number of processes that serve requests. */
    workers,
    /** As the operator names it: a path or a URL. */
    supergraphName: environment.SUPERGRAPH_PATH,
    /** router.yaml and its overlay. */
    configPaths,
    /** The paths there whose files have no text. */
    emptyPaths: files.filter(({ text }) => text.trim() === '').map(({ name }) => name),
    /** SHA-256 of those files, for operators: `cat FILE… | sha256sum`. */
    configHash: hash('sha256', files.map(({ text }) => text).join('')),
    shutdownGraceMs: environment.SHUTDOWN_GRACE_MS ?? supergraph.connection_shutdown_timeout,
    /** The most connections of each listener at a time; undefined to derive it from the limit of the heap. */
    maxConnections: environment.MAX_CONNECTIONS,
    /** The longest time for which a worker may hang. */
    workerTimeoutMs: environment.WORKER_TIMEOUT_MS,
    logLevel: environment.LOG_LEVEL,
    logFormat: environment.LOG_FORMAT ?? logFormatOf(file),
    /** The share of successful requests that have a line in the log. */
    requestLogRatio: environment.LOG_REQUEST_RATIO,
    /** Advice for the operator: it works, but router.yaml could say it better. */
    notes,
    /** Keys of router.yaml that only Apollo Router has. */
    ignoredKeys: ignored,
    /** The path of the health check on the admin listener; undefined where it is off. */
    healthPath: file.health_check.enabled ? file.health_check.path : undefined,
    graphPaths: graphPaths(file),
    /** True when a client's trace is continued, and handed on to subgraphs. */
    propagatesTrace: propagation !== undefined || file.telemetry.exporters.tracing.propagation.trace_context,
    /** Undefined where traces have at most a `traceparent`. */
    propagation,
    tracing: tracingConfig(file),
    /** The attributes, metrics and events that the file names. */
    instrumentation: file.telemetry.instrumentation,
    explain: explainSettings(file, mode),
    usage: meridian.usage,
    /** The database of usage. */
    databaseUrl: environment.DATABASE_URL,
    /** The Redis or Valkey that replicas share; undefined when each gateway counts for itself. */
    redisUrl,
    /** Undefined where clients may not register operations. */
    automaticQueries: apq.enabled !== false && !queries.safelist.enabled ? apq.router.cache : undefined,
    /** The stores in which query plans outlive a graph and its process. */
    planStores: { directory: meridian.plan_cache, redis: supergraph.query_planning.cache.redis },
    responseCache: responseCacheConfig(file),
    mask: maskOptions(file, mode),
    /** True when equal queries in flight are deduplicated. */
    deduplicatesRuns: deduplicatesRuns(file),
    hooks: hookSettings(meridian, configPaths),
    subgraphs: subgraphsConfig(file, workers),
    subscriptions: subscriptionsConfig(file),
    callbacks: callbackListening(file, environment.CALLBACK_SECRET),
    explorer: explorerConfig(file, environment),
  });
}

/** The modules with code around requests: paths or packages. Paths are relative to the folder of router.yaml. */
function hookSettings(
  { hooks: specifiers, hook_timeout: timeoutMs }: RouterConfig['meridian'],
  [path = '']: readonly string[],
) {
  return specifiers.length === 0 ? undefined : { specifiers, folder: dirname(resolve(path)), timeoutMs };
}

/** By default where no subgraph must see each query by itself. */
function deduplicatesRuns({ meridian, traffic_shaping: traffic }: RouterConfig): boolean {
  const ofSubgraphs = [...traffic.subgraphs.values()].map(({ deduplicate_query: own }) => own);
  return meridian.deduplicate_requests ?? (traffic.all.deduplicate_query && !ofSubgraphs.includes(false));
}

function logFormatOf({ telemetry }: RouterConfig): LogFormat {
  const { format, tty_format: ofTerminal = format } = telemetry.exporters.logging.stdout;
  return process.stdout.isTTY ? ofTerminal : format;
}

function readConfigFile(path: string): ConfigFile {
  try {
    return { name: path, text: readFileSync(path, 'utf8') };
  } catch {
    throw new RouterConfigError([`${path}: the file is not there or not readable`]);
  }
}

/**
 * The folder of the development identity, which signs the page's token, and the file that `pnpm graph` writes: the
 * explorer links to it while it is there. Undefined when there is no explorer; always so in production.
 */
function explorerConfig(
  { sandbox }: RouterConfig,
  { mode, DEVELOPMENT_IDENTITY_PATH: identityPath, GRAPH_PAGE_PATH: graphPagePath }: GatewayEnvironment,
) {
  return sandbox.enabled && mode === 'development' ? { identityPath, graphPagePath } : undefined;
}
