import { fragmentsByName, responseNameOf } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, OperationTypeNode } from 'graphql';

import type { MeasureCost } from '../../operation/compiled-operation.ts';
import type { FieldCost, FieldCosts } from '../../supergraph/field-costs.ts';
import { argumentValues, costOfArguments } from './argument-cost.ts';
import { mutationCost } from './estimate-cost.ts';

export interface MeasureOptions {
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
}

/** Selections on one object. */
interface Selected {
  readonly parentName: string;
  readonly selectionSet: SelectionSetNode;
}

/**
 * The selection that produced a member of a response. Where types that exclude each other share a name, the
 * first one counts. Members that cost nothing, as most leaves do, are left out.
 */
interface Member {
  readonly field: FieldNode;
  readonly rules: FieldCost;
  readonly below: SelectionSetNode[];
  /** The members below, computed at the first such object. */
  members?: Members;
}

/** The selection that produced a member, before its cost is known. */
interface FoundMember extends Pick<Member, 'field' | 'below'> {
  /** Undefined for a field that no type declares, such as `__typename`. */
  readonly rules: FieldCost | undefined;
}

/** Members by response name. */
type Members = ReadonlyMap<string, Member>;

/**
 * Prepares the measurement of an operation's actual cost from the shape of its response: a list counts its items, and
 * null or absent values cost nothing. The operation must be valid.
 */
export function prepareMeasure(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { schema, costOf }: MeasureOptions,
): MeasureCost {
  const fragments = fragmentsByName(document);
  const root: Selected = {
    parentName: schema.getRootType(operation.operation)?.name ?? '',
    selectionSet: operation.selectionSet,
  };
  let rootMembers: Members | undefined;
  const membersOf = (selected: readonly Selected[]): Members => costlyMembers(selected, fragments, costOf);

  return (data, variables) => {
    // A response repeats members many times, each time with the same arguments.
    const argumentCosts = new Map<Member, number>();
    const costOfItsArguments = (member: Member): number => {
      const known = argumentCosts.get(member);
      if (known !== undefined) {
        return known;
      }
      const cost = costOfArguments(member.rules, argumentValues(member.field, variables));
      argumentCosts.set(member, cost);
      return cost;
    };

    const costOfObject = (object: Readonly<Record<string, unknown>>, members: Members): number => {
      let cost = 0;
      for (const [name, member] of members) {
        if (Object.hasOwn(object, name)) {
          cost += costOfValue(object[name], member) + costOfItsArguments(member);
        }
      }
      return cost;
    };

    const costOfValue = (value: unknown, member: Member): number => {
      if (value === null || value === undefined) {
        return 0;
      }
      if (Array.isArray(value)) {
        let cost = 0;
        for (const item of value) {
          cost += costOfValue(item, member);
        }
        return cost;
      }
      const { rules, below } = member;
      if (!isRecord(value)) {
        return rules.weight;
      }
      member.members ??= membersOf(
        below.map((selectionSet) => ({ parentName: rules.returns, selectionSet })),
      );
      return rules.weight + costOfObject(value, member.members);
    };

    rootMembers ??= membersOf([root]);
    const fixed = operation.operation === OperationTypeNode.MUTATION ? mutationCost : 0;
    return fixed + (isRecord(data) ? costOfObject(data, rootMembers) : 0);
  };
}

/**
 * The members of an object that these selections select, without those that cost nothing. Each fragment is walked
 * once.
 */
function costlyMembers(
  selected: readonly Selected[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  costOf: FieldCosts,
): Members {
  const found = new Map<string, FoundMember>();
  const walked = new Set<string>();
  const walk = ({ parentName, selectionSet }: Selected): void => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        const name = responseNameOf(selection);
        const rules = costOf(parentName, selection.name.value);
        const member = found.get(name) ?? { field: selection, rules, below: [] };
        found.set(name, member);
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
  const members = new Map<string, Member>();
  for (const [name, { field, rules, below }] of found) {
    if (rules !== undefined && mayCost(field, rules)) {
      members.set(name, { field, rules, below });
    }
  }
  return members;
}

function mayCost({ arguments: values = [], selectionSet }: FieldNode, { weight }: FieldCost): boolean {
  return weight !== 0 || values.length > 0 || selectionSet !== undefined;
}
