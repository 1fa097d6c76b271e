import { fragmentsByName, responseNameOf } from '@meridian/executor';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, print } from 'graphql';

import { requestError } from '../../errors/request-error.ts';

/**
 * The maximum of merged selections, counting a fragment at each of its spreads. An operation within the token
 * limit needs fewer.
 */
const maxMerged = 20_000;

/** The fields of one response name, name and arguments at one place, for objects of one type. */
interface Group {
  readonly field: FieldNode;
  readonly below: SelectionSetNode[];
}

/**
 * An equivalent document that selects each field once, without fragments, and with the selections of equal fields
 * merged. Its fields can be merged exactly if the operation's can, and comparing them takes a fraction of the time:
 * graphql-js compares the fields of one response name in pairs, and fragments too.
 *
 * GraphQL specification §5.3.2. Directives do not matter there, and are left out.
 *
 * @throws {RequestError} GRAPHQL_VALIDATION_FAILED when fragments multiply the fields to merge
 */
export function mergedOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const fragments = fragmentsByName(document);
  let count = 0;
  const onSelection = (): void => {
    count += 1;
    if (count > maxMerged) {
      throw requestError(
        'GRAPHQL_VALIDATION_FAILED',
        'The operation selects too many fields through fragments to be validated',
      );
    }
  };
  const selectionSet = mergeSets([operation.selectionSet], fragments, onSelection);
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }] };
}

function mergeSets(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  onSelection: () => void,
): SelectionSetNode {
  const places = groupFields(sets, fragments, onSelection);
  const mergedField = ({ field, below }: Group): FieldNode => {
    const { selectionSet, directives: _directives, ...own } = field;
    return selectionSet === undefined
      ? own
      : { ...own, selectionSet: mergeSets(below, fragments, onSelection) };
  };
  const selections = [...places].flatMap(([typeName, names]): SelectionNode[] => {
    const fields = [...names.values()].flatMap((groups) => [...groups.values()].map(mergedField));
    return typeName === undefined
      ? fields
      : [
          {
            kind: Kind.INLINE_FRAGMENT,
            typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: typeName } },
            selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
          },
        ];
  });
  return { kind: Kind.SELECTION_SET, selections };
}

/** By parent type, response name, and field name with arguments. */
type Places = Map<string | undefined, Map<string, Map<string, Group>>>;

function groupFields(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  onSelection: () => void,
): Places {
  const places: Places = new Map();
  const spread = new Set<string>();

  const collect = ({ selections }: SelectionSetNode, typeName: string | undefined): void => {
    for (const selection of selections) {
      onSelection();
      if (selection.kind === Kind.FIELD) {
        addField(selection, typeName);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
      } else {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined && !spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          collect(fragment.selectionSet, fragment.typeCondition.name.value);
        }
      }
    }
  };

  const addField = (field: FieldNode, typeName: string | undefined): void => {
    const names = places.get(typeName) ?? new Map<string, Map<string, Group>>();
    places.set(typeName, names);
    const responseName = responseNameOf(field);
    const groups = names.get(responseName) ?? new Map<string, Group>();
    names.set(responseName, groups);
    const key = fieldKey(field);
    const group = groups.get(key);
    if (group !== undefined) {
      group.below.push(...belowOf(field));
    } else if (groups.size < 2) {
      // Two different fields of one type are a conflict; a third one adds nothing.
      groups.set(key, { field, below: belowOf(field) });
    }
  };

  for (const set of sets) {
    collect(set, undefined);
  }
  return places;
}

function belowOf({ selectionSet }: FieldNode): SelectionSetNode[] {
  return selectionSet === undefined ? [] : [selectionSet];
}

/** Name and arguments, whatever their order. */
function fieldKey({ name, arguments: values = [] }: FieldNode): string {
  return values.length === 0 ? name.value : `${name.value}(${values.map(print).toSorted().join()})`;
}
