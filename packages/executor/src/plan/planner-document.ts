import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind, visit } from 'graphql';

import type { Selection, SelectionSet } from '../operation/selection.ts';
import { unusedPrefix } from '../operation/unused-prefix.ts';

/** An operation as the planner gets it. */
export interface PlannerDocument {
  readonly document: DocumentNode;
  /** The client's name of a variable. */
  readonly clientVariable: (name: string) => string;
}

/** Variables that fetches have of their own: for entities, and for arguments from a context. */
const isTaken = (name: string): boolean =>
  name === 'representations' || name.startsWith('contextualArgument_');

/**
 * Writes what an operation selects for the planner: with plan names as aliases, without what needs no subgraph. Undefined
 * where nothing is left.
 */
export function plannerDocument(
  definition: OperationDefinitionNode,
  selections: SelectionSet,
): PlannerDocument | undefined {
  const fetched = selections.flatMap(withoutMetaFields);
  if (fetched.length === 0) {
    return undefined;
  }
  const { directives: _directives, ...operation } = definition;
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: selectionSetNode(fetched) }],
  };
  const names = new Set(definition.variableDefinitions?.map(({ variable }) => variable.name.value));
  const taken = [...names].filter(isTaken);
  if (taken.length === 0) {
    return { document, clientVariable: (name) => name };
  }
  const prefix = unusedPrefix('client', [...names]);
  const clientNames = new Map(taken.map((name, index) => [`${prefix}${index}`, name]));
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

function selectionSetNode(selections: SelectionSet): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: selections.map(selectionNode) };
}

function selectionNode(selection: Selection): SelectionSetNode['selections'][number] {
  if (selection.kind === 'fragment') {
    const { typeCondition, selections } = selection;
    return {
      kind: Kind.INLINE_FRAGMENT,
      ...(typeCondition !== undefined && {
        typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: typeCondition } },
      }),
      selectionSet: selectionSetNode(selections),
    };
  }
  const { node, planName, fieldName, selections } = selection;
  return {
    kind: Kind.FIELD,
    name: node.name,
    ...(planName !== fieldName && { alias: { kind: Kind.NAME, value: planName } }),
    ...(node.arguments && { arguments: node.arguments }),
    directives: (node.directives ?? []).filter(
      ({ name }) => name.value !== 'skip' && name.value !== 'include',
    ),
    ...(node.selectionSet && { selectionSet: selectionSetNode(orTypename(selections)) }),
  };
}

/** The object is asked for even where all that was selected in it is skipped. */
function orTypename(selections: SelectionSet): SelectionSet {
  return selections.length > 0 ? selections : [typenameOnly];
}

const typenameOnly: Selection = {
  kind: 'field',
  responseName: '__typename',
  planName: '__typename',
  fieldName: '__typename',
  node: { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } },
  selections: [],
};

function renameVariables(document: DocumentNode, names: ReadonlyMap<string, string>): DocumentNode {
  return visit(document, {
    Variable(node) {
      const renamed = names.get(node.name.value);
      return renamed === undefined ? undefined : { ...node, name: { kind: Kind.NAME, value: renamed } };
    },
  });
}
