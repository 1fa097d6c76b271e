import type { RouterConfig } from '../sections/router-file.ts';
import type { Place } from '../declaration/place.ts';
import { headerRules } from './no-op-rules.ts';

/** One sentence for each pair of contradicting keys. The same pairs stop Apollo Router. */
export function contradictionsIn(config: RouterConfig, root: Place): string[] {
  const {
    apq,
    meridian,
    persisted_queries: persistedQueries,
    preview_file_uploads: uploads,
    telemetry,
  } = config;
  const { enabled, log_unknown: logUnknown, safelist } = persistedQueries;
  const namesTenants = meridian.authentication.tenant_claim !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      safelist.enabled && apq.enabled === true,
      'apq.enabled: must be false while persisted_queries.safelist.enabled is true',
    ],
    [
      safelist.require_id && !safelist.enabled,
      'persisted_queries.safelist.require_id: needs persisted_queries.safelist.enabled',
    ],
    [safelist.enabled && !enabled, 'persisted_queries.safelist.enabled: needs persisted_queries.enabled'],
    [logUnknown && !enabled, 'persisted_queries.log_unknown: needs persisted_queries.enabled'],
    [
      meridian.authentication.tenants.size > 0 && !namesTenants,
      'meridian.authentication.tenants: needs meridian.authentication.tenant_claim, which names the claim that holds the tenant',
    ],
    [
      meridian.tiers?.default !== undefined && !meridian.tiers.limits.has(meridian.tiers.default),
      `meridian.tiers.default: is ${meridian.tiers?.default}, which is missing in meridian.tiers.limits; it takes one of ${[...(meridian.tiers?.limits.keys() ?? [])].join(', ')}`,
    ],
    [
      !config.demand_control.enabled &&
        [...(meridian.tiers?.limits.values() ?? [])].some(({ max_cost: max }) => max !== undefined),
      'meridian.tiers.limits: max_cost needs demand_control.enabled, with a strategy',
    ],
    [
      meridian.executor === 'apollo' && meridian.limits.max_subgraph_fetches !== undefined,
      'meridian.limits.max_subgraph_fetches: needs meridian.executor: fast_path or slow_path; apollo shows no plans',
    ],
    [
      meridian.executor === 'apollo' && limitsSubgraphCosts(config),
      'demand_control.strategy.static_estimated.subgraph: needs meridian.executor: fast_path or slow_path; apollo shows no plans',
    ],
    [
      meridian.executor === 'apollo' && meridian.override_labels.size > 0,
      'meridian.override_labels: needs meridian.executor: fast_path or slow_path; apollo sets no labels',
    ],
    [
      meridian.executor === 'apollo' && uploads.enabled && uploads.protocols.multipart.enabled,
      'preview_file_uploads: needs meridian.executor: fast_path or slow_path; apollo shows no plans',
    ],
    ...(['tracing', 'metrics'] as const).map((signal): readonly [boolean, string] => {
      const { cert, key } = telemetry.exporters[signal].otlp.grpc;
      return [
        (cert === undefined) !== (key === undefined),
        `telemetry.exporters.${signal}.otlp.grpc: cert and key need each other`,
      ];
    }),
  ];
  return [
    ...rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence),
    ...(namesTenants || config.authentication?.router === undefined ? [] : insertedTenants(config, root)),
  ];
}

function limitsSubgraphCosts({ demand_control: { enabled, strategy } }: RouterConfig): boolean {
  const { all, subgraphs } = strategy?.static_estimated.subgraph ?? { all: {}, subgraphs: new Map() };
  return enabled && [all, ...subgraphs.values()].some(({ max }) => max !== undefined);
}

/** Without a claim for tenants there is no tenant to insert. */
function insertedTenants(config: RouterConfig, root: Place): string[] {
  return headerRules(config, root)
    .filter(({ rule }) => rule.insert?.from_context === 'meridian::tenant_id')
    .map(
      ({ at }) =>
        `${at.at('insert').at('from_context').written}: needs meridian.authentication.tenant_claim, which names the claim that holds the tenant`,
    );
}
