import { markDefault, unmarkDefaults } from '@meridian/json';
import type { FieldNode, GraphQLSchema } from 'graphql';
import { Kind, executeSync, introspectionFromSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

import type { SelectionSet } from '../operation/selection.ts';
import type { ParsedOperation } from '../operation/operation.ts';

/** The values of the root's introspection fields as JSON, by response name. */
export type WriteIntrospection = (
  variables: Readonly<Record<string, unknown>>,
) => ReadonlyMap<string, string>;

const nothing: ReadonlyMap<string, string> = new Map();

/** Introspection reads the API schema; it needs no subgraph. */
export function compileIntrospection(
  apiSchema: GraphQLSchema,
  selections: SelectionSet,
  { document, definition }: ParsedOperation,
): WriteIntrospection {
  const nodes = introspectionNodes(selections);
  if (nodes.length === 0) {
    return () => nothing;
  }
  const { directives: _directives, ...operation } = definition;
  const introspection = {
    kind: Kind.DOCUMENT,
    definitions: [
      { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections: nodes } },
      ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
    ],
  } as const;
  return (variableValues) => {
    const { data, errors } = withMarkedDefaults(apiSchema, () =>
      executeSync({ schema: apiSchema, document: introspection, variableValues }),
    );
    if (data === null || data === undefined) {
      throw new Error('Introspection failed', { cause: errors?.[0] });
    }
    return new Map(Object.entries(data).map(([name, value]) => [name, JSON.stringify(value, unmarked)]));
  };
}

/** The result of the whole introspection, for tools. */
export function introspect(apiSchema: GraphQLSchema): { readonly data: unknown } {
  const data = withMarkedDefaults(apiSchema, () => introspectionFromSchema(apiSchema));
  return { data: JSON.parse(JSON.stringify(data, unmarked)) };
}

/** Introspects while custom scalars mark the defaults that graphql-js cannot print. At other times they change no value. */
function withMarkedDefaults<Result>(schema: GraphQLSchema, introspectSchema: () => Result): Result {
  const scalars = Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type))
    .filter((type) => !isSpecifiedScalarType(type))
    .map((type) => ({ type, serialize: type.serialize }));
  for (const { type } of scalars) {
    type.serialize = markDefault;
  }
  try {
    return introspectSchema();
  } finally {
    for (const { type, serialize } of scalars) {
      type.serialize = serialize;
    }
  }
}

function unmarked(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? unmarkDefaults(value) : value;
}

function introspectionNodes(selections: SelectionSet): readonly FieldNode[] {
  return selections.flatMap((selection) => {
    if (selection.kind === 'fragment') {
      return introspectionNodes(selection.selections);
    }
    return isIntrospection(selection.fieldName) ? [selection.node] : [];
  });
}

/** True for a field of the query root that the schema resolves. */
export function isIntrospection(fieldName: string): boolean {
  return fieldName === '__schema' || fieldName === '__type';
}
