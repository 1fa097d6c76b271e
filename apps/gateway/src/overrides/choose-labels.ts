import type { OperationRequest } from '../interceptors/gateway-request.ts';
import type { AdmittedOperation } from '../operation/admitted-operation.ts';
import { appliedLabelsKey, earlierContextName } from '../selectors/context-values.ts';
import { GatewayFacts } from '../selectors/gateway-facts.ts';

/**
 * Chooses the labels of progressive overrides that an operation runs with, once for each request; undefined for one whose
 * plans depend on none.
 */
export function chooseLabels(
  operation: OperationRequest,
  admitted: AdmittedOperation,
): ReadonlySet<string> | undefined {
  const { request, graph } = operation;
  const { labels } = graph;
  const names = labels?.namesOf(admitted) ?? [];
  if (labels === undefined || names.length === 0) {
    return undefined;
  }
  const context = request.stages?.context;
  const given: unknown = context?.get(appliedLabelsKey) ?? context?.get(earlierContextName(appliedLabelsKey));
  const facts = new GatewayFacts(request, graph);
  facts.onOperation(operation);
  const onRead = (name: string | undefined): void => void (request.readForLabels ??= new Set()).add(name);
  const isSet = (label: string): boolean =>
    labels.decide(label, facts, Array.isArray(given) && given.includes(label), onRead);
  const set = new Set(names.filter(isSet));
  request.overrideLabels = set;
  context?.set(appliedLabelsKey, [...set]);
  request.recorder?.onLabels(Object.fromEntries(names.map((label) => [label, set.has(label)])));
  return set;
}
