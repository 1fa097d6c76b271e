import type { RouterConfig } from './router-file.ts';

/** One sentence for each pair of contradicting keys. Except for the protocol, the same pairs stop Apollo Router. */
export function contradictionsIn({
  apq,
  persisted_queries: persistedQueries,
  telemetry,
}: RouterConfig): string[] {
  const { otlp } = telemetry.exporters.tracing;
  const { enabled, log_unknown: logUnknown, safelist } = persistedQueries;
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
      otlp.enabled && otlp.protocol !== 'http',
      "telemetry.exporters.tracing.otlp.protocol: needs http, and endpoint the collector's port for HTTP, which is 4318 where that for gRPC is 4317; gRPC, Apollo Router's default, is not spoken here",
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
}
