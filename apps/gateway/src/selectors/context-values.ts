import type { RequestFacts } from './request-facts.ts';

/** The labels of progressive overrides that code at the stages sets; then those that the operation runs with. */
export const appliedLabelsKey = 'apollo::progressive_override::labels_to_override';
/** The labels that only such code can set. */
export const unresolvedLabelsKey = 'apollo::progressive_override::unresolved_labels';

/** Keys of Apollo Router's request context, by their current names. */
const values: Readonly<Record<string, (request: RequestFacts) => unknown>> = {
  'apollo::authentication::jwt_claims': ({ caller }) =>
    caller && {
      ...Object.fromEntries(caller.claims ?? []),
      iss: caller.issuer,
      sub: caller.subject,
      scope: [...caller.scopes].join(' '),
      exp: caller.expiresAt,
    },
  'apollo::demand_control::actual_cost': ({ costActual }) => costActual,
  'apollo::demand_control::estimated_cost': ({ costEstimated }) => costEstimated,
  'apollo::demand_control::result': ({ costResult }) => costResult,
  [appliedLabelsKey]: ({ overrideLabels }) => overrideLabels && [...overrideLabels],
  'apollo::supergraph::operation_kind': ({ operationType }) => operationType,
  'apollo::supergraph::operation_name': ({ operationName }) => operationName,
  'apollo::telemetry::client_name': ({ client }) => client.name || undefined,
  'apollo::telemetry::client_version': ({ client }) => client.version || undefined,
};

/** The names before Router 2, and the current ones. */
const currentNames = new Map([
  ['apollo_authentication::JWT::claims', 'apollo::authentication::jwt_claims'],
  ['apollo_authorization::authenticated::required', 'apollo::authorization::authentication_required'],
  ['apollo_authorization::policies::required', 'apollo::authorization::required_policies'],
  ['apollo_authorization::scopes::required', 'apollo::authorization::required_scopes'],
  ['apollo_operation_id', 'apollo::supergraph::operation_id'],
  ['apollo_override::labels_to_override', appliedLabelsKey],
  ['apollo_override::unresolved_labels', unresolvedLabelsKey],
  ['apollo_router::supergraph::first_event', 'apollo::supergraph::first_event'],
  ['apollo_telemetry::client_name', 'apollo::telemetry::client_name'],
  ['apollo_telemetry::client_version', 'apollo::telemetry::client_version'],
  ['apollo_telemetry::studio::exclude', 'apollo::telemetry::studio_exclude'],
  ['apollo_telemetry::subgraph_ftv1', 'apollo::telemetry::subgraph_ftv1'],
  ['cost.actual', 'apollo::demand_control::actual_cost'],
  ['cost.estimated', 'apollo::demand_control::estimated_cost'],
  ['cost.result', 'apollo::demand_control::result'],
  ['cost.strategy', 'apollo::demand_control::strategy'],
  ['experimental::expose_query_plan.enabled', 'apollo::expose_query_plan::enabled'],
  ['experimental::expose_query_plan.formatted_plan', 'apollo::expose_query_plan::formatted_plan'],
  ['experimental::expose_query_plan.plan', 'apollo::expose_query_plan::plan'],
  ['operation_kind', 'apollo::supergraph::operation_kind'],
  ['operation_name', 'apollo::supergraph::operation_name'],
  ['persisted_query_hit', 'apollo::apq::cache_hit'],
  ['persisted_query_register', 'apollo::apq::registered'],
]);
const earlierNames = new Map(Array.from(currentNames, ([earlier, current]) => [current, earlier] as const));

/** The name of a key since Router 2. */
export function currentContextName(key: string): string {
  return currentNames.get(key) ?? key;
}

/** The name of a key before Router 2. */
export function earlierContextName(key: string): string {
  return earlierNames.get(key) ?? key;
}

/** The value of a key, under either of its names: the one that code at a stage has set, else the gateway's. */
export function contextValue(request: RequestFacts, key: string): unknown {
  const name = currentContextName(key);
  return (
    request.stageContext?.get(key) ??
    request.stageContext?.get(name) ??
    (Object.hasOwn(values, name) ? values[name]?.(request) : undefined)
  );
}

/** All keys with a value, by their current names. */
export function contextEntries(request: RequestFacts): Map<string, unknown> {
  const entries = new Map<string, unknown>();
  for (const name of new Set([...Object.keys(values), ...(request.stageContext?.keys() ?? [])])) {
    const value = contextValue(request, name);
    if (value !== undefined) {
      entries.set(name, value);
    }
  }
  return entries;
}
