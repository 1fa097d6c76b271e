import type {
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';

import type { ConditionValues } from './conditions.ts';
import { activeDefer, isIncluded, labelOf } from './conditions.ts';
import { OperationError } from './operation.ts';
import type { PlanNames } from './plan-names.ts';
import type { Deferral, Selection, SelectionSet } from './selection.ts';
import { responseNameOf } from './graphql-document.ts';

export interface ReadOptions {
  readonly definition: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly conditions: ConditionValues;
  readonly names: PlanNames;
  /** False where `@defer` is ignored. */
  readonly isDeferring: boolean;
}

/** The most selections after fragments are expanded: the planner's work grows with them. */
export const maxSelections = 50_000;

/**
 * The most fragments that are deferred, after fragments are expanded: each has fetches, and a plan, of its own. Those beyond
 * it come with the selections around them.
 */
const maxDeferrals = 100;

/** The deepest nesting of selection sets after fragments are expanded: processing them is recursive. */
const maxLevels = 500;

/**
 * Reads what an operation selects under these conditions.
 *
 * @throws {OperationError} when nested fragments make it too large or too deep
 */
export function readOperation({
  definition,
  fragments,
  conditions,
  names,
  isDeferring,
}: ReadOptions): SelectionSet {
  let count = 0;
  let level = 0;
  let deferralCount = 0;
  let fieldLevel = 0;

  const readSet = (set: SelectionSetNode | undefined): SelectionSet => {
    if (set === undefined) {
      return [];
    }
    if (level === maxLevels) {
      throw new OperationError(
        `The operation nests more than ${maxLevels} selection sets with its fragments expanded`,
      );
    }
    level += 1;
    const selections = set.selections.flatMap((selection) =>
      isIncluded(selection, conditions) ? read(selection) : [],
    );
    level -= 1;
    return selections;
  };

  const read = (selection: SelectionNode): Selection[] => {
    count += 1;
    if (count > maxSelections) {
      throw new OperationError(
        `The operation has more than ${maxSelections} selections with its fragments expanded`,
      );
    }
    if (selection.kind === Kind.FIELD) {
      return [readField(selection)];
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return fragment(selection.typeCondition?.name.value, selection.selectionSet, deferralOf(selection));
    }
    const spread = fragments.get(selection.name.value);
    return spread === undefined
      ? []
      : fragment(spread.typeCondition.name.value, spread.selectionSet, deferralOf(selection));
  };

  /** Fields of the root of a mutation run in their order: there, as in a subscription, no fragment is deferred. */
  const deferralOf = (selection: SelectionNode): Deferral | undefined => {
    const { operation } = definition;
    const mayDefer =
      isDeferring &&
      deferralCount < maxDeferrals &&
      (operation === OperationTypeNode.QUERY || (operation === OperationTypeNode.MUTATION && fieldLevel > 0));
    const directive = mayDefer ? activeDefer(selection, conditions) : undefined;
    if (directive === undefined) {
      return undefined;
    }
    deferralCount += 1;
    return { number: deferralCount - 1, label: labelOf(directive), directive };
  };

  const readField = (node: FieldNode): Selection => {
    const planName = names.of(node);
    fieldLevel += 1;
    const selections = readSet(node.selectionSet);
    fieldLevel -= 1;
    return {
      kind: 'field',
      responseName: responseNameOf(node),
      planName,
      fieldName: node.name.value,
      node,
      selections,
    };
  };

  const fragment = (
    typeCondition: string | undefined,
    set: SelectionSetNode,
    deferral: Deferral | undefined,
  ): Selection[] => {
    const selections = readSet(set);
    // One whose selections are all skipped would be an empty selection set, which has no syntax.
    return selections.length === 0
      ? []
      : [{ kind: 'fragment', typeCondition, selections, ...(deferral && { deferral }) }];
  };

  return readSet(definition.selectionSet);
}
