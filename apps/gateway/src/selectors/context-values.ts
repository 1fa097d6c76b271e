import type { RequestFacts } from './request-facts.ts';

/**
 * Keys of Apollo Router's request context, by their current names. Any other key has no value: only a script or a
 * coprocessor would set it.
 */
const values: Readonly<Record<string, (request: RequestFacts) => unknown>> = {
  'apollo::authentication::jwt_claims': ({ caller }) =>
    caller && {
      iss: caller.issuer,
      sub: caller.subject,
      scope: [...caller.scopes].join(' '),
      exp: caller.expiresAt,
    },
  'apollo::demand_control::actual_cost': ({ costActual }) => costActual,
  'apollo::demand_control::estimated_cost': ({ costEstimated }) => costEstimated,
  'apollo::supergraph::operation_kind': ({ operationType }) => operationType,
  'apollo::supergraph::operation_name': ({ operationName }) => operationName,
  'apollo::telemetry::client_name': ({ client }) => client.name || undefined,
  'apollo::telemetry::client_version': ({ client }) => client.version || undefined,
};

/** The names before Router 2. */
const earlierNames: Readonly<Record<string, string>> = {
  'apollo_authentication::JWT::claims': 'apollo::authentication::jwt_claims',
  'cost.actual': 'apollo::demand_control::actual_cost',
  'cost.estimated': 'apollo::demand_control::estimated_cost',
  operation_kind: 'apollo::supergraph::operation_kind',
  operation_name: 'apollo::supergraph::operation_name',
  'apollo_telemetry::client_name': 'apollo::telemetry::client_name',
  'apollo_telemetry::client_version': 'apollo::telemetry::client_version',
};

export function contextValue(request: RequestFacts, key: string): unknown {
  const name = Object.hasOwn(earlierNames, key) ? earlierNames[key] : key;
  return name !== undefined && Object.hasOwn(values, name) ? values[name]?.(request) : undefined;
}
