// The documents of entity fetches: `query ($representations: …) { _entities(representations: …) { … on Product { … } }
// }`.
import type {
  DocumentNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

import type { FetchStep, RequiredSelection } from './plan.ts';
import { responseNameOf } from '../operation/graphql-document.ts';

/** A field of an entity in a fetch. */
export interface EntityField {
  /** The type condition of the fetch. */
  readonly typeName: string;
  readonly name: string;
  readonly responseName: string;
  /** Unique for each type and response name. */
  readonly key: string;
}

/** The fields of the entities themselves, not those below. */
export function entityFields(document: DocumentNode): readonly EntityField[] {
  const fields: EntityField[] = [];
  keepEntityFields(document, (field) => {
    fields.push(field);
    return true;
  });
  return fields;
}

/** The document with those fields of its entities that are kept. */
export function keepEntityFields(
  document: DocumentNode,
  isKept: (field: EntityField) => boolean,
): DocumentNode {
  const keep = (set: SelectionSetNode, typeName: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return [selection];
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const below = keep(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
        return below.selections.length === 0 ? [] : [{ ...selection, selectionSet: below }];
      }
      const responseName = responseNameOf(selection);
      const field = {
        typeName,
        name: selection.name.value,
        responseName,
        key: `${typeName} ${responseName}`,
      };
      return isKept(field) ? [selection] : [];
    }),
  });
  return mapEntitySet(document, (set) => keep(set, '_Entity'));
}

/** The document with another selection of its entities. */
export function mapEntitySet(
  document: DocumentNode,
  map: (set: SelectionSetNode) => SelectionSetNode,
): DocumentNode {
  return visit(document, {
    Field: (node) =>
      node.name.value === '_entities' && node.selectionSet !== undefined
        ? { ...node, selectionSet: map(node.selectionSet) }
        : false,
  });
}

/** The document with another operation. */
export function mapOperation(
  document: DocumentNode,
  map: (operation: OperationDefinitionNode) => OperationDefinitionNode,
): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? map(definition) : definition,
    ),
  };
}

const anyEntities = parse(
  'query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }',
  { noLocation: true },
);

/** A document for entities, with the name and the variables of another document. */
export function askForEntities(document: DocumentNode, entities: SelectionSetNode): DocumentNode {
  const { name, variableDefinitions = [] } =
    document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION) ?? {};
  const asking = mapOperation(anyEntities, (operation) => ({
    ...operation,
    ...(name !== undefined && { name }),
    variableDefinitions: [
      ...(operation.variableDefinitions ?? []),
      ...variableDefinitions.filter(({ variable }) => variable.name.value !== 'representations'),
    ],
  }));
  return mapEntitySet(asking, () => entities);
}

/** The required fields that are kept, however deep. */
export function keepRequired(
  selections: readonly RequiredSelection[],
  isKept: (field: { readonly planName: string }) => boolean,
): readonly RequiredSelection[] {
  return selections.flatMap((selection): RequiredSelection[] => {
    if (selection.kind === 'fragment') {
      return [{ ...selection, selections: keepRequired(selection.selections, isKept) }];
    }
    return isKept(selection)
      ? [{ ...selection, selections: selection.selections && keepRequired(selection.selections, isKept) }]
      : [];
  });
}

/** A part of a fetch: some of its fields, with other representations. */
export function partOfFetch(
  fetch: FetchStep,
  entities: DocumentNode,
  requires: FetchStep['requires'],
): FetchStep {
  const document = withoutUnusedVariables(entities);
  const used = variablesIn(document);
  return {
    ...fetch,
    document,
    text: stripIgnoredCharacters(print(document)),
    variables: fetch.variables.filter(({ name }) => used.has(name)),
    contextVariables: fetch.contextVariables.filter(({ name }) => used.has(name)),
    requires,
  };
}

function withoutUnusedVariables(document: DocumentNode): DocumentNode {
  const used = variablesIn(document);
  return visit(document, {
    VariableDefinition: (node) => (used.has(node.variable.name.value) ? undefined : null),
  });
}

/** The variables that are used, wherever they are declared. */
export function variablesIn(node: DocumentNode | ValueNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(node, {
    VariableDefinition: () => false,
    Variable: (node) => void names.add(node.name.value),
  });
  return names;
}
