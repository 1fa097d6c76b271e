import { unmarkDefaults } from '@meridian/json';
import type { FieldNode, GraphQLSchema } from 'graphql';
import { Kind, executeSync, introspectionFromSchema } from 'graphql';

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
    const { data, errors } = executeSync({ schema: apiSchema, document: introspection, variableValues });
    if (data === null || data === undefined) {
      throw new Error('Introspection failed', { cause: errors?.[0] });
    }
    return new Map(Object.entries(data).map(([name, value]) => [name, JSON.stringify(value, unmarked)]));
  };
}

/** The result of the whole introspection, for tools. */
export function introspect(apiSchema: GraphQLSchema): { readonly data: unknown } {
  return { data: JSON.parse(JSON.stringify(introspectionFromSchema(apiSchema), unmarked)) };
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
