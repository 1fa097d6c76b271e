import type { RouterConfig } from './router-file.ts';

/** One sentence for each pair of contradicting keys. Except for the protocol, the same pairs stop Apollo Router. */
export function contradictionsIn({
  apq,
  authentication,
  headers,
  meridian,
  persisted_queries: persistedQueries,
  telemetry,
}: RouterConfig): string[] {
  const { otlp } = telemetry.exporters.tracing;
  const { enabled, log_unknown: logUnknown, safelist } = persistedQueries;
  const namesTenants = meridian.authentication.tenant_claim !== undefined;
  const insertsTenant = [headers.all, ...headers.subgraphs.values()].some(({ request }) =>
    request.operations.some(({ insert }) => insert?.from_context === 'meridian::tenant_id'),
  );
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
      insertsTenant && !namesTenants && authentication?.router !== undefined,
      'headers: insert from_context: meridian::tenant_id needs meridian.authentication.tenant_claim, which names the claim that holds the tenant',
    ],
    [
      otlp.enabled && otlp.protocol !== 'http',
      "telemetry.exporters.tracing.otlp.protocol: needs http, and endpoint the collector's port for HTTP, which is 4318 where that for gRPC is 4317; gRPC, Apollo Router's default, is not spoken here",
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
}
