import { OperationError } from '../operation/operation.ts';
import { fetchesOf, stepsInOrder } from './plan-steps.ts';
import type { FetchStep, PlanStep, SequenceStep } from './plan.ts';

/** The plan of a subscription. */
export interface SubscriptionPlan extends SequenceStep {
  readonly steps: readonly [event: FetchStep, ...rest: PlanStep[]];
}

/**
 * Brings the plan of a subscription into its form: the fetch of the events, then all others.
 *
 * @throws {OperationError} where several fetches bring events, or something has to be fetched before
 */
export function eventFirst(root: PlanStep): SubscriptionPlan {
  const [event, ...rest] = stepsInOrder(root);
  if (event?.kind !== 'fetch' || !isOfEvents(event) || rest.flatMap(fetchesOf).some(isOfEvents)) {
    throw new OperationError('The subscription cannot be planned: its events come from several fetches');
  }
  return { kind: 'sequence', steps: [event, ...rest] };
}

function isOfEvents({ operationKind }: FetchStep): boolean {
  return operationKind === 'subscription';
}
