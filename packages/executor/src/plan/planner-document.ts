import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind, visit } from 'graphql';

import type { Selection, SelectionSet } from '../operation/selection.ts';

/** An operation as the planner gets it. */
export interface PlannerDocument {
  readonly document: DocumentNode;
  /** The client's name of a variable. */
  readonly clientVariable: (name: string) => string;
}

/** The variable that entity fetches have of their own. */
const representations = 'representations';

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
  if (!names.has(representations)) {
    return { document, clientVariable: (name) => name };
  }
  const renamed = unusedName(names);
  return {
    document: renameVariable(document, representations, renamed),
    clientVariable: (name) => (name === renamed ? representations : name),
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

function unusedName(names: ReadonlySet<string>): string {
  let name = `${representations}_`;
  while (names.has(name)) {
    name += '_';
  }
  return name;
}

function renameVariable(document: DocumentNode, from: string, to: string): DocumentNode {
  return visit(document, {
    Variable: (node) =>
      node.name.value === from ? { ...node, name: { kind: Kind.NAME, value: to } } : undefined,
  });
}
