import type {
  ConstDirectiveNode,
  DocumentNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, visit } from 'graphql';

import { fragmentOn, nameNode, typenameField } from '../operation/graphql-document.ts';
import type { SelectedField, Selection, SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { OccurringTypes } from '../supergraph/occurring-types.ts';
import { isUntyped } from '../supergraph/schema-types.ts';
import { unusedPrefix } from '../supergraph/unused-prefix.ts';

/** An operation as the planner gets it. */
export interface PlannerDocument {
  readonly document: DocumentNode;
  /** The client's name of a variable. */
  readonly clientVariable: (name: string) => string;
}

interface PlannerDocumentOptions {
  readonly supergraph: Pick<Supergraph, 'schema' | 'subgraphTypes'>;
  readonly occurring: OccurringTypes;
}

/** Variables that fetches declare themselves: for entities, and for arguments from a context. */
const isReserved = (name: string): boolean =>
  name === 'representations' || name.startsWith('contextualArgument_');

/**
 * Writes the selections of an operation for the planner: with plan names as aliases, and without fields that need no
 * subgraph. Undefined if nothing is left.
 */
export function plannerDocument(
  definition: OperationDefinitionNode,
  selections: SelectionSet,
  options: PlannerDocumentOptions,
): PlannerDocument | undefined {
  const fetched = selections.flatMap(withoutMetaFields);
  if (fetched.length === 0) {
    return undefined;
  }
  const rootTypes = new Set([options.supergraph.schema.getRootType(definition.operation)?.name ?? '']);
  const { directives: _directives, ...operation } = definition;
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: writeSelections(fetched, rootTypes, options) }],
  };
  const names = new Set(definition.variableDefinitions?.map(({ variable }) => variable.name.value));
  const reserved = [...names].filter(isReserved);
  if (reserved.length === 0) {
    return { document, clientVariable: (name) => name };
  }
  const prefix = unusedPrefix('client', [...names]);
  const clientNames = new Map(reserved.map((name, index) => [`${prefix}${index}`, name]));
  return {
    document: renameVariables(document, new Map(Array.from(clientNames, ([name, from]) => [from, name]))),
    clientVariable: (name) => clientNames.get(name) ?? name,
  };
}

/** Root fields that need no subgraph: `__typename`, `__schema` and `__type`. */
function withoutMetaFields(selection: Selection): Selection[] {
  if (selection.kind === 'field') {
    return selection.fieldName.startsWith('__') ? [] : [selection];
  }
  const selections = selection.selections.flatMap(withoutMetaFields);
  return selections.length === 0 ? [] : [{ ...selection, selections }];
}

function writeSelections(
  fetched: SelectionSet,
  rootTypes: ReadonlySet<string>,
  { supergraph: { schema, subgraphTypes }, occurring }: PlannerDocumentOptions,
): SelectionSetNode {
  const writeSet = (set: SelectionSet, place: Place): SelectionSetNode => {
    const inside = { ...place, around: [...place.around, set] };
    return { kind: Kind.SELECTION_SET, selections: set.flatMap((selection) => write(selection, inside)) };
  };

  const write = (selection: Selection, place: Place): readonly SelectionNode[] => {
    const { types, around, before } = place;
    if (selection.kind === 'fragment') {
      const { typeCondition, selections, deferral } = selection;
      const narrowed = { types: occurring.narrow(types, typeCondition), around, before };
      const selectionSet = writeSet(
        selections,
        deferral === undefined ? narrowed : { ...narrowed, around: [], before: [...before, ...around] },
      );
      const directives = deferral && { directives: [deferDirective(deferral.number)] };
      return selectionSet.selections.length === 0
        ? []
        : [{ ...fragmentOn(typeCondition, selectionSet), ...directives }];
    }
    const { node, planName, fieldName } = selection;
    const known = before.flatMap((set) =>
      set.flatMap((one) => (one.kind === 'field' && one.planName === planName ? [one.selections] : [])),
    );
    const selectionSet = node.selectionSet && writeBelow(selection, types, known);
    const isKnown = known.length > 0 && (selectionSet === undefined || selectionSet.selections.length === 0);
    if (isKnown || (fieldName === '__typename' && isUnknowable(types))) {
      return [];
    }
    return [
      {
        kind: Kind.FIELD,
        name: node.name,
        ...(planName !== fieldName && { alias: nameNode(planName) }),
        ...(node.arguments && { arguments: node.arguments }),
        directives: (node.directives ?? []).filter(
          ({ name }) => name.value !== 'skip' && name.value !== 'include',
        ),
        ...(selectionSet && { selectionSet }),
      },
    ];
  };

  /** No subgraph can tell the type of an object while no type implements its interface. */
  const isUnknowable = (types: ReadonlySet<string>): boolean =>
    types.size > 0 && [...types].every((type) => isUntyped(schema, schema.getType(type)));

  /** The object is fetched even if all of its selections are skipped or cannot occur: the planner drops both. */
  const writeBelow = (
    { fieldName, selections }: SelectedField,
    types: ReadonlySet<string>,
    known: readonly SelectionSet[],
  ): SelectionSetNode => {
    const below = occurring.below(types, fieldName);
    const set = writeSet(occurring.haveAnyOf(below, selections) ? selections : [], {
      types: below,
      around: [],
      before: known,
    });
    return set.selections.length > 0 || known.length > 0 ? set : keyOrTypename(fieldName, types);
  };

  /** The subgraph of an interface object cannot tell a `__typename`: another one would be asked. */
  const keyOrTypename = (fieldName: string, types: ReadonlySet<string>): SelectionSetNode => {
    for (const type of types) {
      const key = subgraphTypes.interfaceObjectKey(type, fieldName);
      if (key !== undefined) {
        return key;
      }
    }
    return typenameOnly;
  };

  return writeSet(fetched, { types: rootTypes, around: [], before: [] });
}

/** The place of a selection set. */
interface Place {
  /** The types that its objects can have. */
  readonly types: ReadonlySet<string>;
  /** The selection sets around it that select of the same objects, in the same deferred fragment. */
  readonly around: readonly SelectionSet[];
  /** Those around that fragment: what they select is fetched before, and not again. */
  readonly before: readonly SelectionSet[];
}

/** With a label of our own: clients may use one label several times. */
function deferDirective(number: number): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: nameNode('defer'),
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: nameNode('label'),
        value: { kind: Kind.STRING, value: String(number) },
      },
    ],
  };
}

const typenameOnly: SelectionSetNode = { kind: Kind.SELECTION_SET, selections: [typenameField] };

function renameVariables(document: DocumentNode, names: ReadonlyMap<string, string>): DocumentNode {
  return visit(document, {
    Variable(node) {
      const renamed = names.get(node.name.value);
      return renamed === undefined ? undefined : { ...node, name: nameNode(renamed) };
    },
  });
}
