import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import type { ConfigFile, IgnoredKeys, RouterConfig } from '@meridian/router-config';
import { RouterConfigError, readRouterConfig } from '@meridian/router-config';
import type { LogFormat, LogLevel, PropagationOptions } from '@meridian/telemetry';

import { hashTexts } from './hash-texts.ts';
import type { MaskOptions } from './error-exposure.ts';
import { maskOptions } from './error-exposure.ts';
import type { ExplainSettings } from './explain-config.ts';
import { explainSettings } from './explain-config.ts';
import type { Environment, GatewayEnvironment } from './gateway-environment.ts';
import { readGatewayEnvironment } from './gateway-environment.ts';
import type { GraphRule } from './graph-rules.ts';
import { graphFaults, graphOverlay, graphRules } from './graph-rules.ts';
import type { TrustedKeys } from './issuers.ts';
import { trustedKeys } from './issuers.ts';
import type { ClientTransport } from './client-transport.ts';
import { clientTransport } from './client-transport.ts';
import type { ListenAddresses } from './listen-addresses.ts';
import { listenAddresses } from './listen-addresses.ts';
import type { MetricsConfig } from './metrics-config.ts';
import { metricsConfig } from './metrics-config.ts';
import type { SourceFiles } from './remote-files.ts';
import { manifestFiles, sourceFiles } from './remote-files.ts';
import { withOtelVariables } from './otel-environment.ts';
import type { ResponseCacheConfig } from './response-cache-config.ts';
import { responseCacheConfig } from './response-cache-config.ts';
import { startChecks } from './start-checks.ts';
import type { SubgraphsConfig } from './subgraph-settings.ts';
import { subgraphsConfig } from './subgraph-settings.ts';
import type { CallbackListening, SubscriptionsConfig } from './subscriptions-config.ts';
import { callbackListening, subscriptionsConfig } from './subscriptions-config.ts';
import type { TracingConfig } from './tracing-config.ts';
import { propagationOptions, tracingConfig } from './tracing-config.ts';
import type { TrafficLimits } from './traffic-limits.ts';
import { trafficLimits } from './traffic-limits.ts';

/** The gateway's configuration: the environment, and router.yaml with what follows from it. */
export interface GatewayConfig
  extends ListenAddresses, ClientTransport, MetricsConfig, TrustedKeys, TrafficLimits, SourceFiles {
  /** router.yaml with its overlay. */
  readonly file: RouterConfig;
  /** The graphs of the process by name; empty where it has one, without a name. */
  readonly graphs: readonly GraphRule[];
  /** The graph that this is the configuration of, by its name; undefined where there are no names. */
  readonly graph: string | undefined;
  /** The number of processes that serve requests. */
  readonly workers: number;
  /** As the operator names it: a path or a URL. */
  readonly supergraphName: string;
  /** router.yaml and its overlay. */
  readonly configPaths: readonly string[];
  /** The paths there whose files have no text. */
  readonly emptyPaths: readonly string[];
  /** The files whose texts are values there: `${file.path}`. */
  readonly expandedFiles: readonly string[];
  /** True when clients connect over TLS. */
  readonly isSecure: boolean;
  /** SHA-256 of those files, for operators. */
  readonly configHash: string;
  readonly shutdownGraceMs: number;
  /** The longest time for which a worker may hang. */
  readonly workerTimeoutMs: number;
  /** The most connections of each listener at a time; undefined to derive it from the limit of the heap. */
  readonly maxConnections: number | undefined;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The share of successful requests that have a line in the log. */
  readonly requestLogRatio: number;
  /** Advice for the operator: it works, but router.yaml could say it better. */
  readonly notes: readonly string[];
  /** Keys of router.yaml that only Apollo Router has. */
  readonly ignoredKeys: IgnoredKeys;
  /** The path of the health check on the admin listener; absent where it is off. */
  readonly healthPath: string | undefined;
  /** The paths that serve GraphQL requests. */
  readonly graphPaths: readonly string[];
  /** True when a client's trace is continued, and handed on to subgraphs. */
  readonly propagatesTrace: boolean;
  /** Absent where traces have at most a `traceparent`. */
  readonly propagation: PropagationOptions | undefined;
  /** Absent when traces are not exported. */
  readonly tracing: TracingConfig | undefined;
  /** The attributes, metrics and events that the file names. */
  readonly instrumentation: RouterConfig['telemetry']['instrumentation'];
  /** Absent when recent requests are not explained. */
  readonly explain: ExplainSettings | undefined;
  readonly usage: RouterConfig['meridian']['usage'];
  /** The database of usage. */
  readonly databaseUrl: string | undefined;
  /** The Redis or Valkey that replicas share; absent when each gateway counts for itself. */
  readonly redisUrl: string | undefined;
  /** Absent where clients may not register operations. */
  readonly automaticQueries: AutomaticQuerySettings | undefined;
  readonly planStores: PlanStoreSettings;
  /** Absent where no responses of subgraphs are kept. */
  readonly responseCache: ResponseCacheConfig | undefined;
  readonly mask: MaskOptions;
  /** Absent where the file names none. */
  readonly hooks: HookSettings | undefined;
  /** True when equal queries in flight are deduplicated. */
  readonly deduplicatesRuns: boolean;
  readonly subgraphs: SubgraphsConfig;
  /** Absent where subscriptions are not served. */
  readonly subscriptions: SubscriptionsConfig | undefined;
  /** Absent where no subgraph calls back. */
  readonly callbacks: CallbackListening | undefined;
  /** Absent when there is none; always so in production. */
  readonly explorer: ExplorerConfig | undefined;
}

/** The modules with code around requests. */
export interface HookSettings {
  /** Paths, or packages. */
  readonly specifiers: readonly string[];
  /** Of router.yaml. Paths are relative to it. */
  readonly folder: string;
  readonly timeoutMs: number;
}

/** `apq.router.cache`. */
export type AutomaticQuerySettings = RouterConfig['apq']['router']['cache'];

/** The stores in which query plans outlive a graph and its process. */
export interface PlanStoreSettings {
  readonly directory: RouterConfig['meridian']['plan_cache'];
  readonly redis: RedisPlanSettings | undefined;
}

/** `supergraph.query_planning.cache.redis`. */
export type RedisPlanSettings = NonNullable<RouterConfig['supergraph']['query_planning']['cache']['redis']>;

export interface ExplorerConfig {
  /** The folder of the development identity, which signs the page's token. */
  readonly identityPath: string | undefined;
  /** The file that `pnpm graph` writes. The explorer links to it while it is there. */
  readonly graphPagePath: string | undefined;
}

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
export function readConfig(env: Environment, graph?: GraphRule): GatewayConfig {
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
  return Object.freeze<GatewayConfig>({
    file,
    graphs: graphRules(file),
    graph: graph?.name,
    ...listenAddresses(file, environment),
    ...clientTransport(file),
    isSecure: file.tls.supergraph !== undefined,
    expandedFiles: [...expandedFiles],
    ...metricsConfig(file),
    ...trustedKeys(file, environment),
    ...trafficLimits(file, { workers, hasRedis: redisUrl !== undefined }),
    ...sourceFiles(environment, manifestFiles(file)),
    workers,
    supergraphName: environment.SUPERGRAPH_PATH,
    configPaths,
    emptyPaths: files.filter(({ text }) => text.trim() === '').map(({ name }) => name),
    configHash: hashTexts(files.map(({ text }) => text)),
    shutdownGraceMs: environment.SHUTDOWN_GRACE_MS ?? supergraph.connection_shutdown_timeout,
    maxConnections: environment.MAX_CONNECTIONS,
    workerTimeoutMs: environment.WORKER_TIMEOUT_MS,
    logLevel: environment.LOG_LEVEL,
    logFormat: environment.LOG_FORMAT ?? logFormatOf(file),
    requestLogRatio: environment.LOG_REQUEST_RATIO,
    notes,
    ignoredKeys: ignored,
    healthPath: file.health_check.enabled ? file.health_check.path : undefined,
    // Router's default path is `/`, the specification's is `/graphql`. Without a setting, both work.
    graphPaths: supergraph.path === undefined ? ['/', '/graphql'] : [supergraph.path],
    propagatesTrace: propagation !== undefined || file.telemetry.exporters.tracing.propagation.trace_context,
    propagation,
    tracing: tracingConfig(file),
    instrumentation: file.telemetry.instrumentation,
    explain: explainSettings(file, mode),
    usage: meridian.usage,
    databaseUrl: environment.DATABASE_URL,
    redisUrl,
    automaticQueries: apq.enabled !== false && !queries.safelist.enabled ? apq.router.cache : undefined,
    planStores: { directory: meridian.plan_cache, redis: supergraph.query_planning.cache.redis },
    responseCache: responseCacheConfig(file),
    mask: maskOptions(file, mode),
    deduplicatesRuns: deduplicatesRuns(file),
    hooks: hookSettings(meridian, configPaths),
    subgraphs: subgraphsConfig(file, workers),
    subscriptions: subscriptionsConfig(file),
    callbacks: callbackListening(file, environment.CALLBACK_SECRET),
    explorer: explorerConfig(file, environment),
  });
}

function hookSettings(
  { hooks: specifiers, hook_timeout: timeoutMs }: RouterConfig['meridian'],
  [path = '']: readonly string[],
): HookSettings | undefined {
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

function explorerConfig(
  { sandbox }: RouterConfig,
  { mode, DEVELOPMENT_IDENTITY_PATH: identityPath, GRAPH_PAGE_PATH: graphPagePath }: GatewayEnvironment,
): ExplorerConfig | undefined {
  return sandbox.enabled && mode === 'development' ? { identityPath, graphPagePath } : undefined;
}
