import type { FieldNode, GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, isInterfaceType, isObjectType } from 'graphql';

import { isOfType } from '../../../src/supergraph/schema-types.ts';
import type { DataObject, JsonObject } from './data-object.ts';
import { isJsonObject, typeNameOf } from './data-object.ts';

export interface MergeOptions {
  readonly schema: GraphQLSchema;
  /** The selections of the object. */
  readonly sets: readonly SelectionSetNode[];
  /** The type of the object where it does not say. */
  readonly knownType: string;
  /** The names in the data of fields that have another one in the answer. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Brings an object of an answer into one of the data: what was selected, and nothing else. A null never takes the place
 * of a value, for which of two subgraphs answers first must not matter.
 */
export function mergeObject(source: JsonObject, target: DataObject, options: MergeOptions): void {
  const { schema, sets, knownType, names } = options;
  const typeName = typeof source['__typename'] === 'string' ? source['__typename'] : knownType;
  for (const [key, nodes] of fieldsFor(schema, sets, typeName)) {
    if (!Object.hasOwn(source, key)) {
      continue;
    }
    const value = source[key];
    const name = names.get(key) ?? key;
    if (name === '__typename') {
      mergeTypename(value, target, schema);
      continue;
    }
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const fieldType = fieldTypeName(schema, typeName, nodes);
    target.set(name, mergeValue(value, target.get(name), { ...options, sets: below, knownType: fieldType }));
  }
}

/** The selected fields of a type, by response name. */
export function fieldsFor(
  schema: GraphQLSchema,
  sets: readonly SelectionSetNode[],
  typeName: string,
): ReadonlyMap<string, readonly FieldNode[]> {
  const fields = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        fields.set(key, [...(fields.get(key) ?? []), selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition?.name.value ?? typeName;
        if (isOfType(schema, typeName, condition)) {
          collect(selection.selectionSet);
        }
      }
    }
  };
  // A subgraph may name a type that the supergraph does not have: nothing can be said of its fields.
  if (schema.getType(typeName) !== undefined) {
    sets.forEach(collect);
  }
  return fields;
}

/** The subgraph of an interface object knows only the interface: what another one says is more. */
function mergeTypename(value: unknown, target: DataObject, schema: GraphQLSchema): void {
  const isKnown = isObjectType(schema.getType(typeNameOf(target) ?? ''));
  if (typeof value === 'string' && !isKnown) {
    target.set('__typename', value);
  }
}

function mergeValue(value: unknown, existing: unknown, options: MergeOptions): unknown {
  if (value === null) {
    return existing ?? null;
  }
  const isLeaf = options.sets.length === 0;
  if (isLeaf) {
    return value;
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] =
      Array.isArray(existing) && existing.length === value.length ? existing : [];
    return value.map((item: unknown, index) => mergeValue(item, items[index], options));
  }
  if (isJsonObject(value)) {
    const target: DataObject = existing instanceof Map ? existing : new Map();
    mergeObject(value, target, options);
    return target;
  }
  // No object where one was asked for: it is refused when the data is shaped.
  return value;
}

function fieldTypeName(schema: GraphQLSchema, typeName: string, [node]: readonly FieldNode[]): string {
  const type = schema.getType(typeName);
  const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
  const field = node && fields[node.name.value];
  return field === undefined ? '' : getNamedType(field.type).name;
}
