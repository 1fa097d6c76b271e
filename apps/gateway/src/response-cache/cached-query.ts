import { hash } from 'node:crypto';

import type { DocumentNode, FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  Kind,
  OperationTypeNode,
  TypeInfo,
  getNamedType,
  isEnumType,
  parse,
  visit,
  visitWithTypeInfo,
} from 'graphql';

/** A query to a subgraph, as the cache sees it. */
export interface CachedQuery {
  /** Of its text, and of the types of the fields that it selects. */
  readonly digest: string;
  /** True for a fetch of entities, by one variable that has their representations. */
  readonly isOfEntities: boolean;
  readonly rootFields: readonly FieldNode[];
}

/** The variable of a fetch of entities. */
export const representationsName = 'representations';

/**
 * Reads the text of a query. Undefined for one whose responses are not kept: another operation, several of them, and
 * entities beside other fields.
 *
 * @param schema of the supergraph: a response is not kept for another type of a field
 */
export function readQuery(text: string, schema: GraphQLSchema): CachedQuery | undefined {
  let document: DocumentNode;
  try {
    document = parse(text, { noLocation: true });
  } catch {
    return undefined;
  }
  const [operation, ...others] = document.definitions.filter(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  if (operation?.operation !== OperationTypeNode.QUERY || others.length > 0) {
    return undefined;
  }
  const rootFields = operation.selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
  const isOfEntities = rootFields.some(({ name }) => name.value === '_entities');
  if (
    rootFields.length < operation.selectionSet.selections.length ||
    (isOfEntities && !isPlainFetch(rootFields))
  ) {
    return undefined;
  }
  return {
    digest: hash('sha256', `${text}\n${typesIn(document, schema)}`, 'base64url'),
    isOfEntities,
    // Without what is below them: they are kept.
    rootFields: rootFields.map(({ selectionSet: _below, ...field }) => field),
  };
}

function isPlainFetch([field, ...others]: readonly FieldNode[]): boolean {
  const [argument] = field?.arguments ?? [];
  return (
    others.length === 0 &&
    field?.alias === undefined &&
    argument?.value.kind === Kind.VARIABLE &&
    argument.value.name.value === representationsName
  );
}

/** The selected fields with their types, and the values of enums. */
function typesIn(document: DocumentNode, schema: GraphQLSchema): string {
  const types = new Set<string>();
  const info = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(info, {
      Field() {
        const field = info.getFieldDef();
        const named = field && getNamedType(field.type);
        if (field) {
          types.add(`${String(info.getParentType())}.${field.name}:${String(field.type)}`);
        }
        if (isEnumType(named)) {
          types.add(
            `${named.name}:${named
              .getValues()
              .map(({ name }) => name)
              .join()}`,
          );
        }
      },
    }),
  );
  return [...types].toSorted().join('\n');
}
