import { hash } from 'node:crypto';

import type { OperationPlan, Planner, Supergraph } from '@meridian/executor';
import { storePlans } from '@meridian/executor';
import type { RouterConfig } from '@meridian/router-config';
import type { Logger } from '@meridian/telemetry';

import type { ProcessParts } from '../assembly/process-parts.ts';
import { createReferenceCount } from '../concurrency/reference-count.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { assumedListSize } from '../config/traffic-limits.ts';
import { deduplicateRuns } from '../executor/deduplicate-runs.ts';
import { openExecutor } from '../executor/open-executor.ts';
import { createFetchMeasure } from '../fetch-costs/measure-fetches.ts';
import type { Run } from '../operation/run.ts';
import { openOverrideLabels } from '../overrides/override-labels.ts';
import type { Safelist } from '../pipeline/3-compile/check-safelist.ts';
import { createCompiler } from '../pipeline/3-compile/compile-operation.ts';
import type { AccessOptions } from '../pipeline/4-admit/admit-for-caller.ts';
import { createAdmitForCaller } from '../pipeline/4-admit/admit-for-caller.ts';
import { createExecution } from '../pipeline/5-execute/execute-operation.ts';
import { nullUnauthorizedFields } from '../pipeline/5-execute/null-unauthorized-fields.ts';
import { limitPlans } from '../plan-limits/plan-limits.ts';
import type { OpenedCaches } from '../response-cache/response-caches.ts';
import type { StageHandlers } from '../stages/messages.ts';
import { subgraphStages } from '../stages/subgraph-stages.ts';
import { openCircuits } from '../subgraphs/circuit-breaker/open-circuits.ts';
import { connectSubgraphs } from '../subgraphs/connect-subgraphs.ts';
import { addHeaders, lacksAuthorization } from '../subgraphs/header-rules.ts';
import type { AccessRules } from '../supergraph/access-rules.ts';
import { accessRules } from '../supergraph/access-rules.ts';
import { cacheHints } from '../supergraph/cache-hints.ts';
import { fieldCosts } from '../supergraph/field-costs.ts';
import { pageSizes } from '../supergraph/page-sizes.ts';
import { admitFiles } from '../uploads/admit-files.ts';
import type { Graph } from './graph.ts';

export interface GraphOptions extends ProcessParts {
  readonly config: GatewayConfig;
  readonly safelist: Safelist | undefined;
  /** Code at the stages of requests. */
  readonly stageHandlers: readonly StageHandlers[];
}

const openAccess: AccessRules = () => [];

export async function createGraph(supergraph: Supergraph, options: GraphOptions): Promise<Graph> {
  const caches = await options.responseCaches.open(options.config.responseCache, supergraph);
  try {
    return await createGraphOver(caches, supergraph, options);
  } catch (error) {
    caches?.close();
    throw error;
  }
}

async function createGraphOver(
  caches: OpenedCaches | undefined,
  supergraph: Supergraph,
  options: GraphOptions,
): Promise<Graph> {
  const { config, client, planStores, graphMetrics, safelist, stageHandlers, logger } = options;
  const { schema, apiSchema } = supergraph;
  const { file } = config;
  const { limit: cachedOperations } = file.supergraph.query_planning.cache.in_memory;
  const { settingsOf } = config.subgraphs;
  warnOfUnknownSubgraphs(supergraph, config, logger);
  warnOfAnonymousRequests(supergraph, config, logger);
  const access = file.authorization.directives.enabled ? accessRules(supergraph) : openAccess;
  const stages = subgraphStages(stageHandlers);
  const costOf = fieldCosts(supergraph);
  const labels = openOverrideLabels(supergraph, file.meridian, {
    hasStages: stageHandlers.length > 0,
    logger,
  });
  const planLimits = limitPlans({
    maxFetches: file.meridian.limits.max_subgraph_fetches,
    warnsOnly: file.limits.warn_only,
    costs: config.cost.subgraphs,
    schema,
    costOf,
    logger,
  });
  const fetchMeasure =
    file.demand_control.strategy?.static_estimated.actual_cost_mode === 'by_subgraph'
      ? createFetchMeasure({ schema, costOf })
      : undefined;
  const { transport, servers, forwarded, passesFieldsOn } = connectSubgraphs(supergraph.subgraphs, {
    settingsOf,
    client,
    tlsOf: options.subgraphTls.of,
    measureCalls: graphMetrics.measureCalls,
    measureFetch: fetchMeasure?.aroundFetch,
    stages,
    openCircuit: openCircuits(graphMetrics, logger),
    observe: options.customTelemetry?.aroundSubrequest,
    limitCost: planLimits?.limitCost,
    openCache: caches?.open,
    openStreams: await options.subscriptions.streamsFor(config.subscriptions),
    sendsFiles: config.uploads !== undefined,
  });
  const admitPlan =
    config.uploads === undefined
      ? planLimits?.admitPlan
      : (plan: OperationPlan, run: Run): void => {
          planLimits?.admitPlan(plan, run);
          admitFiles(plan, run);
        };
  const executor = await openExecutor(file.meridian.executor, {
    supergraph,
    transport,
    responseBounds: config.subgraphs.responseBounds,
    // Each entity is looked up by its own.
    isMerged: (name) =>
      settingsOf(name).mergesFetches && config.responseCache?.settingsOf(name) === undefined,
    isDeferring: file.supergraph.defer_support,
    admitPlan,
    logger,
    createPlanner: () =>
      options.createPlanner(supergraph, {
        // Else it starts now, so that no request waits for it.
        isStartedLate: planStores.length > 0 && safelist?.isEnforced === true,
      }),
    measuredPlanner: graphMetrics.measuredPlanner,
    storedPlanner: (planner) =>
      planStores.reduceRight<Planner>(
        (next, { storage, store }) =>
          storePlans(next, supergraph, {
            store,
            onLookUp(lookUp) {
              graphMetrics.onPlanLookUp(storage, lookUp);
              logger.debug({ storage, ...lookUp }, 'looked for a stored plan');
            },
          }),
        planner,
      ),
    onSlowPathResponse: graphMetrics.countSlowPathResponse,
  });
  const uses = createReferenceCount();
  const compiler = createCompiler({
    apiSchema,
    schema,
    accessRules: access,
    pageSizes: pageSizes(supergraph),
    fieldCosts: costOf,
    cacheHints: cacheHints(supergraph),
    assumedListSize: assumedListSize(file),
    rules: file,
    safelist,
    cachedOperations,
    onLookUp: graphMetrics.onLookUp,
    onOversize(operation, faults) {
      if (faults.length > 0) {
        const reasons = faults.map(({ message }) => message);
        logger.warn({ operation, reasons }, 'an operation exceeds limits; limits are not enforced');
      }
    },
  });
  const admitForCaller = createAdmitForCaller({
    apiSchema,
    accessRules: access,
    mode: accessMode(file.authorization.directives),
    cachedOperations,
  });
  const { execute, subscribe, planAhead } = createExecution(
    executor,
    [
      file.authorization.directives.enabled ? nullUnauthorizedFields : undefined,
      // One or the other: a run with fields for its client, or with code of its request, is never shared with others.
      config.deduplicatesRuns && !passesFieldsOn && stages === undefined
        ? deduplicateRuns([...forwarded.values()])
        : undefined,
      fetchMeasure?.aroundRun,
    ],
    forwarded.size > 0 || config.propagatesTrace ? addHeaders(forwarded) : undefined,
  );
  return {
    supergraph,
    hash: hash('sha256', supergraph.sdl),
    servers,
    passesFieldsOn,
    cachedSubgraphs: caches?.subgraphs,
    compile: compiler.compile,
    recentlyUsed: compiler.recentlyUsed,
    admitForCaller,
    execute,
    subscribe,
    labels,
    isSecure: config.isSecure,
    async planAhead(operation, variables) {
      const sets = labels?.likelySets(operation.whole) ?? [undefined];
      const failures: unknown[] = [];
      for (const overrideLabels of sets) {
        try {
          const plan = await planAhead(operation.whole, { variables, overrideLabels });
          if (plan !== undefined) {
            planLimits?.checkFetches(plan);
          }
        } catch (error) {
          failures.push(error);
        }
      }
      // With other labels, it runs.
      if (failures.length === sets.length) {
        throw failures[0];
      }
    },
    acquire: () => uses.acquire(),
    async close() {
      await uses.whenReleased();
      await executor.close();
      caches?.close();
    },
  };
}

function accessMode({
  dry_run: isDryRun,
  reject_unauthorized: rejects,
}: RouterConfig['authorization']['directives']): AccessOptions['mode'] {
  return isDryRun ? 'dry_run' : rejects ? 'reject' : 'filter';
}

/**
 * A mistyped name would pass unnoticed: the subgraph would keep the common timeout and the supergraph's URL.
 */
function warnOfUnknownSubgraphs(
  { subgraphs }: Supergraph,
  { subgraphs: { named } }: GatewayConfig,
  logger: Logger,
): void {
  const known = subgraphs.map(({ name }) => name);
  const unknownSubgraphs = named.filter((name) => !known.includes(name));
  if (unknownSubgraphs.length > 0) {
    logger.warn(
      { unknownSubgraphs, subgraphs: known },
      'router.yaml names subgraphs that are not in the supergraph',
    );
  }
}

/** A new subgraph without header rules would answer each request with 401, which clients see as an outage. */
function warnOfAnonymousRequests(
  { subgraphs }: Supergraph,
  { issuers, openKeySets, subgraphs: { settingsOf } }: GatewayConfig,
  logger: Logger,
): void {
  const anonymousSubgraphs = subgraphs
    .map(({ name }) => name)
    .filter((name) => lacksAuthorization(settingsOf(name).headerRules));
  if (issuers.length + openKeySets.length > 0 && anonymousSubgraphs.length > 0) {
    logger.warn(
      { anonymousSubgraphs },
      'subgraphs do not receive the authorization of callers: propagate it under headers in router.yaml, or remove it there on purpose',
    );
  }
}
