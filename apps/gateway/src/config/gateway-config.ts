import { readFileSync } from 'node:fs';

import type { ConfigFile, Cors, RouterConfig } from '@meridian/router-config';
import { RouterConfigError, readRouterConfig } from '@meridian/router-config';
import type { RateLimit } from '@meridian/shared-state';
import type { LogLevel } from '@meridian/telemetry';

import type { ExplainConfig } from './explain-config.ts';
import { explainConfig } from './explain-config.ts';
import { errorExposure, fullExposure } from './error-exposure.ts';
import type { Environment } from './gateway-environment.ts';
import { readGatewayEnvironment } from './gateway-environment.ts';
import { hashTexts } from '../operation/hash-texts.ts';
import type { TrustedKeys } from './issuers.ts';
import { readTrustedKeys } from './issuers.ts';
import type { ListenAddresses } from './listen-addresses.ts';
import { listenAddresses } from './listen-addresses.ts';
import type { JsonLimits } from '../pipeline/2-identify/parse-json.ts';
import type { CsrfOptions } from '../pipeline/1-receive/prevent-csrf.ts';
import type { CostRules } from '../pipeline/4-admit/check-cost.ts';
import type { LoadLimits } from '../pipeline/1-receive/limit-load.ts';
import type { CompileOptions } from '../pipeline/3-compile/compile-operation.ts';
import type { MaskOptions } from '../pipeline/6-mask/mask-errors.ts';
import type { Compression } from '../pipeline/7-respond/content-coding.ts';
import { startChecks } from './start-checks.ts';
import type { SubgraphSettings } from './subgraph-settings.ts';
import { namedSubgraphs, subgraphSettings } from './subgraph-settings.ts';
import type { TracingConfig } from './tracing-config.ts';
import { tracingConfig } from './tracing-config.ts';
import type { UsageConfig } from '../usage/open-usage.ts';
import { shareLimits } from './share-limits.ts';

/** The gateway's configuration: the environment, and router.yaml with its overlay. */
export interface GatewayConfig extends ListenAddresses, TrustedKeys {
  /** The number of processes that serve requests. */
  readonly workers: number;
  readonly supergraphPath: string;
  /** router.yaml and what lies over it. */
  readonly configPaths: readonly string[];
  /** SHA-256 of those files, for operators. */
  readonly configHash: string;
  readonly shutdownGraceMs: number;
  readonly logLevel: LogLevel;
  /** The share of successful requests that have a line in the log. */
  readonly requestLogRatio: number;
  /** Advice for the operator: it works, but router.yaml could say it better. */
  readonly notes: readonly string[];
  /** The paths that answer GraphQL requests. */
  readonly graphPaths: readonly string[];
  /** The path of the health check on the admin listener; absent where it is off. */
  readonly healthPath: string | undefined;
  readonly requestTimeoutMs: number;
  readonly maxRequestBytes: number;
  /** Absent where answers are never compressed. */
  readonly compression: Compression | undefined;
  /** Bounds on the JSON of a request. */
  readonly json: JsonLimits;
  /** True when a client's `traceparent` is continued, and one is sent to subgraphs. */
  readonly propagatesTrace: boolean;
  /** Absent when traces are not exported. */
  readonly tracing: TracingConfig | undefined;
  /** Absent where recent requests cannot be asked about. */
  readonly explain: ExplainConfig | undefined;
  /** Absent where the usage of fields is not recorded. */
  readonly usage: UsageConfig | undefined;
  /** Rules for pages of other origins. */
  readonly cors: Cors;
  /** Absent where the wall against cross-site requests is down. */
  readonly csrf: CsrfOptions | undefined;
  readonly isAuthenticationRequired: boolean;
  /** True when `@authenticated`, `@requiresScopes` and `@policy` are enforced. */
  readonly enforcesAccess: boolean;
  /** Absent where persisted queries are off. */
  readonly persistedQueries: PersistedQueries | undefined;
  /** The Redis or Valkey that replicas share; absent where there is one gateway, or each counts for itself. */
  readonly redisUrl: string | undefined;
  /** Absent where clients may not register operations. */
  readonly automaticQueries: AutomaticQueriesConfig | undefined;
  readonly rules: CompileOptions['rules'];
  readonly cachedOperations: number;
  /** The number of recently used operations that are planned before a new supergraph takes over. */
  readonly warmedOperations: number;
  readonly assumedListSize: number;
  readonly cost: CostRules;
  /** One answer in so many is measured for its actual cost. */
  readonly measuredCosts: number;
  readonly throttle: Throttling;
  readonly load: LoadLimits;
  readonly mask: MaskOptions;
  /** The executor: this repository's, its plain reference, or stock `@apollo/gateway`. */
  readonly executor: RouterConfig['meridian']['executor'];
  /** True when equal queries in flight share one run. */
  readonly deduplicatesRuns: boolean;
  readonly subgraph: (name: string) => SubgraphSettings;
  /** Those that router.yaml says something of, whether there are such or not. */
  readonly namedSubgraphs: readonly string[];
  /** Absent where there is none, as always in production. */
  readonly explorer: ExplorerConfig | undefined;
}

export interface ExplorerConfig {
  /** Where the development identity is, whose tokens the page is given. */
  readonly identityPath: string | undefined;
}

export interface PersistedQueries {
  readonly manifestPaths: readonly string[];
  readonly isReloaded: boolean;
  /** True when only operations of the manifest run. */
  readonly isSafelist: boolean;
  readonly isIdRequired: boolean;
  readonly logsUnknown: boolean;
  /** True when the operations of the manifest are planned before the first request. */
  readonly isPlannedAtStart: boolean;
  /** True when they are planned before a new supergraph or manifest takes over. */
  readonly isPlannedAtReload: boolean;
}

export interface AutomaticQueriesConfig {
  /** The number of entries that each gateway keeps in memory. */
  readonly maxEntries: number;
  /** Where they are shared; absent: in the Redis that replicas share, where there is one. */
  readonly redis:
    | { readonly url: string; readonly timeoutMs: number; readonly ttlSeconds: number; readonly name: string }
    | undefined;
}

export interface Throttling {
  /** The unit of the limits: an operation's cost, or 1 for each request. */
  readonly unit: 'cost' | 'request';
  readonly global: RateLimit | undefined;
  readonly tenant: RateLimit | undefined;
  /** The part of each limit that this gateway has for itself while Redis does not answer. */
  readonly fallbackFraction: number;
}

/** Router's default manifest; a file here, where Router asks its registry. */
const defaultManifest = 'persisted-queries.json';
/** Router's default for lists, where demand control is off and says nothing. */
const defaultListSize = 10;

/**
 * Reads the gateway's configuration.
 *
 * @throws {EnvironmentError} or {RouterConfigError}, each of which lists all faults
 */
export function readConfig(env: Environment): GatewayConfig {
  const environment = readGatewayEnvironment(env);
  const { mode } = environment;
  const configPaths = [environment.ROUTER_CONFIG_PATH, environment.ROUTER_CONFIG_OVERLAY_PATH].filter(
    (path) => path !== undefined,
  );
  const files = configPaths.map(readConfigFile);
  const { config: file, notes } = readRouterConfig({
    files,
    env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
  const checks = startChecks(file, environment);
  if (checks.faults.length > 0) {
    throw new RouterConfigError(checks.faults);
  }
  const { issuers, openKeySets } = readTrustedKeys(file, environment);

  const { supergraph, health_check: health, traffic_shaping: traffic } = file;
  return shareLimits<GatewayConfig>({
    workers: environment.WEB_CONCURRENCY,
    ...listenAddresses(file, environment),
    supergraphPath: environment.SUPERGRAPH_PATH,
    configPaths,
    configHash: hashTexts(files.map(({ text }) => text)),
    shutdownGraceMs: environment.SHUTDOWN_GRACE_MS,
    logLevel: environment.LOG_LEVEL,
    requestLogRatio: environment.LOG_REQUEST_RATIO,
    notes: [...notes, ...checks.notes],
    // Router's default path is `/`, the specification's is `/graphql`. Without a setting, both work.
    graphPaths: supergraph.path === undefined ? ['/', '/graphql'] : [supergraph.path],
    healthPath: health.enabled ? health.path : undefined,
    requestTimeoutMs: traffic.router.timeout,
    maxRequestBytes: file.limits.http_max_request_bytes,
    compression: file.meridian.compression.enabled
      ? { minBytes: file.meridian.compression.min_size }
      : undefined,
    json: {
      maxDepth: file.meridian.limits.json_max_depth,
      maxValues: file.meridian.limits.json_max_values,
    },
    propagatesTrace: file.telemetry.exporters.tracing.propagation.trace_context,
    tracing: tracingConfig(file),
    explain: explainConfig(file, mode),
    usage: usageConfig(file, environment.DATABASE_URL),
    cors: file.cors,
    csrf: file.csrf.unsafe_disabled
      ? undefined
      : { requiredHeaders: file.csrf.required_headers.map((name) => name.toLowerCase()) },
    issuers,
    openKeySets,
    isAuthenticationRequired: file.authorization.require_authentication,
    enforcesAccess: file.authorization.directives.enabled,
    persistedQueries: persistedQueries(file),
    redisUrl: environment.REDIS_URL,
    automaticQueries: automaticQueries(file),
    rules: operationRules(file),
    cachedOperations: supergraph.query_planning.cache.in_memory.limit,
    warmedOperations:
      supergraph.query_planning.warmed_up_queries ??
      Math.floor(supergraph.query_planning.cache.in_memory.limit / 3),
    assumedListSize: file.demand_control.strategy?.static_estimated.list_size ?? defaultListSize,
    cost: costRules(file),
    measuredCosts: file.meridian.cost.measure_every,
    throttle: throttling(file),
    load: {
      maxInFlight: traffic.router.concurrency_limit,
      maxEventLoopDelayMs: file.meridian.overload.max_event_loop_delay,
    },
    mask: {
      exposureOf: (subgraph) =>
        mode === 'development' ? fullExposure : errorExposure(file.include_subgraph_errors, subgraph),
      allowedCodes: new Set(file.meridian.errors.allowed_codes),
    },
    executor: file.meridian.executor,
    deduplicatesRuns: file.meridian.deduplicate_requests,
    subgraph: (name) => subgraphSettings(file, name),
    namedSubgraphs: namedSubgraphs(file),
    explorer:
      file.sandbox.enabled && mode === 'development'
        ? { identityPath: environment.DEVELOPMENT_IDENTITY_PATH }
        : undefined,
  });
}

function readConfigFile(path: string): ConfigFile {
  try {
    return { name: path, text: readFileSync(path, 'utf8') };
  } catch {
    throw new RouterConfigError([`${path}: the file is not there or not readable`]);
  }
}

/** Reads how operations may be named by identifiers; undefined where they may not. */
export function persistedQueries({ persisted_queries: queries }: RouterConfig): PersistedQueries | undefined {
  if (!queries.enabled) {
    return undefined;
  }
  return {
    manifestPaths: queries.local_manifests ?? [defaultManifest],
    // Router polls its registry always, and files only where `hot_reload` says so.
    isReloaded: queries.local_manifests === undefined || queries.hot_reload,
    isSafelist: queries.safelist.enabled,
    isIdRequired: queries.safelist.require_id,
    logsUnknown: queries.log_unknown,
    isPlannedAtStart: queries.experimental_prewarm_query_plan_cache.on_startup,
    isPlannedAtReload: queries.experimental_prewarm_query_plan_cache.on_reload,
  };
}

function automaticQueries({
  apq,
  persisted_queries: queries,
}: RouterConfig): AutomaticQueriesConfig | undefined {
  const isOn = apq.enabled !== false && !queries.safelist.enabled;
  if (!isOn) {
    return undefined;
  }
  const { in_memory: memory, redis } = apq.router.cache;
  return {
    maxEntries: memory.limit,
    redis: redis && {
      // The section takes exactly one.
      url: redis.urls.join(),
      timeoutMs: redis.timeout,
      ttlSeconds: Math.ceil(redis.ttl / 1000),
      name: redis.namespace,
    },
  };
}

function operationRules({ limits, meridian, supergraph }: RouterConfig): CompileOptions['rules'] {
  return {
    maxTokens: limits.parser_max_tokens,
    maxRecursion: limits.parser_max_recursion,
    isNameRequired: meridian.operations.require_name,
    isIntrospectionAllowed: supergraph.introspection,
    documents: {
      maxOperations: meridian.limits.max_operations,
      maxFragments: meridian.limits.max_fragments,
      maxSelections: meridian.limits.max_selections,
    },
    sizes: {
      maxDepth: limits.max_depth,
      maxAliases: limits.max_aliases,
      maxHeight: limits.max_height,
      maxRootFields: limits.max_root_fields,
      introspectionMaxDepth: meridian.limits.introspection_max_depth,
    },
  };
}

function costRules(file: RouterConfig): CostRules {
  const { demand_control: demand } = file;
  const { unit, global, tenant } = throttling(file);
  const capacities = [global, tenant].flatMap((limit) => limit?.capacity ?? []);
  return {
    demand:
      demand.enabled && demand.strategy !== undefined
        ? { max: demand.strategy.static_estimated.max, isEnforced: demand.mode === 'enforce' }
        : undefined,
    throttleCapacity: unit === 'cost' && capacities.length > 0 ? Math.min(...capacities) : undefined,
  };
}

function usageConfig({ meridian }: RouterConfig, databaseUrl: string | undefined): UsageConfig | undefined {
  const { enabled, flush_interval, max_counts, retention_days } = meridian.usage;
  return enabled
    ? { databaseUrl, flushEveryMs: flush_interval, maxCounts: max_counts, keptDays: retention_days }
    : undefined;
}

function throttling({ traffic_shaping: traffic, meridian }: RouterConfig): Throttling {
  return {
    unit: meridian.throttle.unit,
    global: rateLimit(traffic.router.global_rate_limit),
    tenant: rateLimit(meridian.throttle.tenant),
    fallbackFraction: meridian.throttle.local_share,
  };
}

function rateLimit(
  limit: { readonly capacity: number; readonly interval: number } | undefined,
): RateLimit | undefined {
  return limit && { capacity: limit.capacity, intervalMs: limit.interval };
}
