import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { OperationTypeNode, print } from 'graphql';

import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Planner } from '../planning/planner.ts';
import { hasDefer, withoutDefer } from '../planning/without-defer.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { OccurringTypes } from '../supergraph/occurring-types.ts';
import { createOccurringTypes } from '../supergraph/occurring-types.ts';
import { checkCoverage, checkInputs } from './check-plan.ts';
import { fetchesOf, stepsInOrder } from './plan-steps.ts';
import { hideArguments } from './hide-arguments.ts';
import { enclosingFragments, orderFetches } from './order-fetches.ts';
import type { FetchStep, OperationPlan, OrderedFetch, PlanStep, SequenceStep } from './plan.ts';
import { plannerDocument } from './planner-document.ts';
import { readPlan } from './read-plan.ts';
import { repairInputs } from './repair-inputs.ts';
import { separateTypes } from './separate-types.ts';
import { withoutPlaceholders } from './without-placeholders.ts';
import { splitInterfaceObjectFetches } from './split-interface-object-fetches.ts';

export interface PlanningOptions {
  readonly supergraph: Supergraph;
  readonly planner: Pick<Planner, 'plan'>;
  /** The labels of progressive overrides that are set. */
  readonly labels: readonly string[];
  /** The tenant or client that the plan is for: callers take turns. */
  readonly caller: string | undefined;
}

/**
 * Plans an operation, for one combination of its conditions.
 *
 * @throws {OperationError} where it cannot be planned
 * @throws {PlannerBusyError} where it cannot be planned now
 */
export async function planOperation(
  definition: OperationDefinitionNode,
  selected: SelectionSet,
  { supergraph, planner, labels, caller }: PlanningOptions,
): Promise<OperationPlan> {
  const operationKind = definition.operation;
  const occurring = createOccurringTypes(supergraph);
  const selections = separateTypes(selected, operationKind, { supergraph, occurring });
  const forPlanner = plannerDocument(definition, selections, { supergraph, occurring });
  const deferrals = enclosingFragments(selections);
  if (forPlanner === undefined) {
    return { operationKind, root: undefined, selections, ...(deferrals.size > 0 && { order: [] }) };
  }
  const plan = async (document: DocumentNode): Promise<OperationPlan> => {
    const hidden = hideArguments(document, supergraph.apiSchema);
    const result = await planner.plan(print(hidden.document), labels, caller);
    if ('rejection' in result) {
      throw new OperationError(result.rejection);
    }
    const planned = readPlan(result.node, { supergraph, clientVariable: forPlanner.clientVariable, hidden });
    const read = planned && withoutPlaceholders(planned, supergraph);
    const mended = read && repairInputs(read, operationKind, supergraph);
    const split = mended && splitInterfaceObjectFetches(mended, { operationKind, selections }, supergraph);
    const root = split && operationKind === OperationTypeNode.SUBSCRIPTION ? eventFirst(split) : split;
    checkInputs(root, operationKind, supergraph);
    checkCoverage(fetchesOf(root), { operationKind, selections }, { supergraph, occurring });
    return { operationKind, root, selections };
  };
  return deferrals.size === 0
    ? await plan(forPlanner.document)
    : await planDeferring(plan, forPlanner.document, deferrals, { supergraph, occurring });
}

type Deferrals = ReturnType<typeof enclosingFragments>;

/**
 * Plans an operation with deferred fragments. Where the plan that defers fetches has a fault, all of them are made for the
 * first result.
 */
async function planDeferring(
  plan: (document: DocumentNode) => Promise<OperationPlan>,
  document: DocumentNode,
  deferrals: Deferrals,
  options: { readonly supergraph: Supergraph; readonly occurring: OccurringTypes },
): Promise<OperationPlan> {
  if (hasDefer(document)) {
    try {
      const planned = await plan(document);
      const order = orderFetches(planned.root, planned.operationKind, options.supergraph);
      checkOrder(order, planned, deferrals, options);
      return { ...planned, order };
    } catch (error) {
      if (!(error instanceof OperationError)) {
        throw error;
      }
    }
  }
  const planned = await plan(withoutDefer(document));
  return { ...planned, order: orderFetches(planned.root, planned.operationKind, options.supergraph) };
}

/** Checks that the first result, and each deferred fragment, waits for the fetches that supply it. */
function checkOrder(
  order: readonly OrderedFetch[],
  plan: OperationPlan,
  deferrals: Deferrals,
  options: { readonly supergraph: Supergraph; readonly occurring: OccurringTypes },
): void {
  for (const [number, around] of [[undefined, new Set<number>()] as const, ...deferrals]) {
    const isConcerned = (fragment: number | undefined): boolean =>
      fragment === undefined || fragment === number || around.has(fragment);
    const fetches = order.filter(({ fragment }) => isConcerned(fragment)).map(({ fetch }) => fetch);
    checkCoverage(fetches, plan, options, isConcerned);
  }
}

/** The plan of a subscription. */
interface SubscriptionPlan extends SequenceStep {
  readonly steps: readonly [event: FetchStep, ...rest: PlanStep[]];
}

/**
 * Brings the plan of a subscription into its form: the fetch of the events, then all others.
 *
 * @throws {OperationError} where several fetches bring events, or something has to be fetched before
 */
function eventFirst(root: PlanStep): SubscriptionPlan {
  const [event, ...rest] = stepsInOrder(root);
  if (event?.kind !== 'fetch' || !isOfEvents(event) || rest.flatMap(fetchesOf).some(isOfEvents)) {
    throw new OperationError('The subscription cannot be planned: its events come from several fetches');
  }
  return { kind: 'sequence', steps: [event, ...rest] };
}

function isOfEvents({ operationKind }: FetchStep): boolean {
  return operationKind === 'subscription';
}
