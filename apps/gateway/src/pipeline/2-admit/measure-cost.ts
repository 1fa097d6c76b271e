import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';

import { isRecord } from '../../is-record.ts';
import type { FieldCosts } from '../../supergraph/field-costs.ts';
import { argumentValues, costOfArguments } from './argument-cost.ts';
import { mutationCost } from './estimate-cost.ts';
import type { Variables } from './read-variables.ts';

/** What the answer of an operation has cost, as its estimate is computed but with the instances that there are. */
export type MeasureCost = (data: unknown, variables: Variables) => number;

export interface MeasureOptions {
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
}

/** Selections that fall on one object. */
interface Selected {
  readonly parentName: string;
  readonly selectionSet: SelectionSetNode;
}

/** What a member of an answer was selected by. Where types that exclude each other share a name, the first one stands. */
interface Member {
  readonly parentName: string;
  readonly field: FieldNode;
  readonly below: SelectionSetNode[];
  /** The members below, worked out when the first object of them is met. */
  members?: ReadonlyMap<string, Member>;
}

/**
 * Prepares the measurement of an operation's actual cost, by the shape of its answer: a list counts the items that it has, and
 * what is null or absent costs nothing. An operation must be valid.
 */
export function prepareMeasure(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { schema, costOf }: MeasureOptions,
): MeasureCost {
  const fragments = new Map(
    document.definitions
      .filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map((fragment) => [fragment.name.value, fragment]),
  );
  const root: Selected = {
    parentName: schema.getRootType(operation.operation)?.name ?? '',
    selectionSet: operation.selectionSet,
  };
  let rootMembers: ReadonlyMap<string, Member> | undefined;

  return (data, variables) => {
    const costOfObject = (
      object: Readonly<Record<string, unknown>>,
      members: ReadonlyMap<string, Member>,
    ): number =>
      Object.entries(object).reduce((cost, [name, value]) => {
        const member = members.get(name);
        return member === undefined ? cost : cost + costOfMember(value, member);
      }, 0);

    const costOfMember = (value: unknown, member: Member): number => {
      const rules = costOf(member.parentName, member.field.name.value);
      if (rules === undefined) {
        return 0;
      }
      const costOfValue = (held: unknown): number => {
        if (held === null || held === undefined) {
          return 0;
        }
        if (Array.isArray(held)) {
          return held.reduce<number>((cost, item: unknown) => cost + costOfValue(item), 0);
        }
        if (!isRecord(held)) {
          return rules.weight;
        }
        member.members ??= membersOf(
          member.below.map((selectionSet) => ({ parentName: rules.returns, selectionSet })),
          fragments,
        );
        return rules.weight + costOfObject(held, member.members);
      };
      return costOfValue(value) + costOfArguments(rules, argumentValues(member.field, variables));
    };

    rootMembers ??= membersOf([root], fragments);
    const fixed = operation.operation === OperationTypeNode.MUTATION ? mutationCost : 0;
    return fixed + (isRecord(data) ? costOfObject(data, rootMembers) : 0);
  };
}

/** The members of an object on which these selections fall, by response name. Each fragment is walked once. */
function membersOf(
  selected: readonly Selected[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  const walked = new Set<string>();
  const walk = ({ parentName, selectionSet }: Selected): void => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const member = members.get(name) ?? { parentName, field: selection, below: [] };
        members.set(name, member);
        if (selection.selectionSet !== undefined) {
          member.below.push(selection.selectionSet);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const typeName = selection.typeCondition?.name.value ?? parentName;
        walk({ parentName: typeName, selectionSet: selection.selectionSet });
      } else if (!walked.has(selection.name.value)) {
        walked.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) {
          walk({ parentName: fragment.typeCondition.name.value, selectionSet: fragment.selectionSet });
        }
      }
    }
  };
  selected.forEach(walk);
  return members;
}
