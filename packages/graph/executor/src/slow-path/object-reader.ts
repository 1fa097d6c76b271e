import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { isObjectType } from 'graphql';

import type { DataObject, JsonObject } from './data.ts';
import { isObject, property } from './data.ts';
import { fieldTypeName, isOfType } from '../supergraph/schema-types.ts';
import type { Rename } from '../plan/plan.ts';
import { responseFields } from '../selections/response-fields.ts';

/** Merges the selections of a fetch from an object of its response into the data. */
export interface ObjectReader {
  /**
   * Copies only selected fields, and does not change the source. A null never replaces a value: the order of two
   * responses must not matter.
   *
   * @param beforeReplacing called before an object or list of the data is replaced, as when two subgraphs send lists of
   * different length
   * @param knownType of the target, where that is known
   */
  read(source: JsonObject, target: DataObject, beforeReplacing: () => void, knownType?: string): void;
  /** The minimal type of the objects, when it is known. */
  readonly staticType: string | undefined;
  /** The names in the data of the fields that are read for a type, or of those that an object of a response lacks. */
  namesFor(typeName: string, broughtBy?: JsonObject): readonly string[];
  /** The name in the data of a field of the response, and the reader of its selections. */
  follow(
    typeName: string,
    key: string,
  ): { readonly name: string; readonly below: ObjectReader | undefined } | undefined;
}

interface FieldReader {
  /** In the response. */
  readonly key: string;
  /** In the data. */
  readonly name: string;
  /** Absent for a leaf. */
  readonly below: ObjectReader | undefined;
}

/**
 * Creates the reader of selections. Its code for a type is compiled when the type first occurs.
 *
 * @param staticType that the objects have at least, where that is known
 */
export function createObjectReader(
  schema: GraphQLSchema,
  sets: readonly SelectionSetNode[],
  { staticType, renames }: { readonly staticType: string | undefined; readonly renames: readonly Rename[] },
): ObjectReader {
  const byType = new Map<string, readonly FieldReader[]>();
  const fieldsFor = (typeName: string): readonly FieldReader[] => {
    const known = byType.get(typeName);
    if (known !== undefined) {
      return known;
    }
    // Only type names of the schema are kept, since a subgraph may send any.
    if (schema.getType(typeName) === undefined) {
      return [];
    }
    const fields = fieldReaders(schema, sets, typeName, renames);
    byType.set(typeName, fields);
    return fields;
  };

  return {
    staticType,
    read(source, target, beforeReplacing, knownType) {
      const { __typename } = source;
      const typeName = typeof __typename === 'string' ? __typename : (knownType ?? staticType ?? '');
      for (const { key, name, below } of fieldsFor(typeName)) {
        const value = property(source, key);
        if (value === undefined) {
          continue;
        }
        if (name === '__typename') {
          readTypename(schema, value, target);
        } else if (below !== undefined) {
          target[name] = readValue(value, property(target, name), below, beforeReplacing);
        } else if (value !== null || property(target, name) === undefined) {
          target[name] = value;
        }
      }
    },
    namesFor: (typeName, broughtBy = {}) =>
      fieldsFor(typeName).flatMap(({ key, name }) =>
        name === '__typename' || (property(broughtBy, key) ?? null) !== null ? [] : [name],
      ),
    follow: (typeName, key) =>
      fieldsFor(schema.getType(typeName) === undefined ? (staticType ?? '') : typeName).find(
        (field) => field.key === key,
      ),
  };
}

/** The subgraph of an interface object knows only the interface; another subgraph's type is more specific. */
function readTypename(schema: GraphQLSchema, value: unknown, target: DataObject): void {
  const { __typename: known } = target;
  if (typeof value === 'string' && !(typeof known === 'string' && isObjectType(schema.getType(known)))) {
    target['__typename'] = value;
  }
}

function readValue(
  value: unknown,
  existing: unknown,
  reader: ObjectReader,
  beforeReplacing: () => void,
): unknown {
  if (value === null) {
    return existing ?? null;
  }
  if (Array.isArray(value)) {
    let items: readonly unknown[] = [];
    if (Array.isArray(existing) && existing.length === value.length) {
      items = existing;
    } else if (isObjectOrList(existing)) {
      beforeReplacing();
    }
    return value.map((item: unknown, index) => readValue(item, items[index], reader, beforeReplacing));
  }
  if (isObject(value) && isObject(existing)) {
    reader.read(value, existing, beforeReplacing);
    return existing;
  }
  if (isObjectOrList(existing)) {
    beforeReplacing();
  }
  if (isObject(value)) {
    const target: DataObject = {};
    reader.read(value, target, beforeReplacing);
    return target;
  }
  // Not an object where one was requested: writing the response reports it.
  return value;
}

function isObjectOrList(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function fieldReaders(
  schema: GraphQLSchema,
  sets: readonly SelectionSetNode[],
  typeName: string,
  renames: readonly Rename[],
): readonly FieldReader[] {
  const here = renames.flatMap((rename) => atType(schema, rename, typeName));
  return [...responseFields(schema, sets, typeName)].map(([key, nodes]) => {
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const staticType = fieldTypeName(schema, typeName, nodes[0]?.name.value ?? '');
    return {
      key,
      name: here.find(({ path, from }) => path.length === 0 && from === key)?.to ?? key,
      below:
        below.length === 0
          ? undefined
          : createObjectReader(schema, below, {
              staticType,
              renames: here.flatMap((rename) => throughField(rename, key)),
            }),
    };
  });
}

/** The rename without the type conditions that it starts with, where they hold. */
function atType(schema: GraphQLSchema, rename: Rename, typeName: string): readonly Rename[] {
  const [first, ...rest] = rename.path;
  if (first?.kind !== 'type') {
    return [rename];
  }
  return isOfType(schema, typeName, first.name) ? atType(schema, { ...rename, path: rest }, typeName) : [];
}

/** The rename as it is seen from a field, where its path goes through that field. */
function throughField(rename: Rename, key: string): readonly Rename[] {
  const [first, ...rest] = rename.path;
  return first?.kind === 'field' && first.name === key ? [{ ...rename, path: rest }] : [];
}
