import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from './load-supergraph.ts';
import { fieldTypeName, possibleTypes } from './schema-types.ts';

type Types = ReadonlySet<string>;

/** The types of objects that can occur at the places of one operation. Results for equal sets are computed once. */
export interface OccurringTypes {
  /** The types among them to which a fragment applies. */
  narrow(types: Types, typeCondition: string | undefined): Types;
  /** The types that the value of a field of such objects can have. */
  below(types: Types, fieldName: string): Types;
  /** The types of a field's value by the schema, whether or not all subgraphs know them. */
  possibleBelow(types: Types, fieldName: string): Types;
  /** True when such an object has any field of a selection. */
  haveAnyOf(types: Types, set: SelectionSet): boolean;
}

export function createOccurringTypes({
  schema,
  subgraphTypes,
}: Pick<Supergraph, 'schema' | 'subgraphTypes'>): OccurringTypes {
  const occurring: OccurringTypes = {
    narrow: once((types, typeCondition) =>
      typeCondition === undefined ? types : intersect(types, possibleTypes(schema, typeCondition)),
    ),
    below: once((types, fieldName) => {
      const sets = new Set(Array.from(types, (type) => subgraphTypes.commonTypes(type, fieldName)));
      return union([...sets]);
    }),
    possibleBelow: once((types, fieldName) => {
      const names = new Set(Array.from(types, (type) => fieldTypeName(schema, type, fieldName) ?? ''));
      return union(Array.from(names, (name) => possibleTypes(schema, name)));
    }),
    haveAnyOf: (types, set) =>
      set.some((selection) =>
        selection.kind === 'field'
          ? types.size > 0
          : occurring.haveAnyOf(occurring.narrow(types, selection.typeCondition), selection.selections),
      ),
  };
  return occurring;
}

/** The types that are in both. */
export function intersect(one: Types, other: Types): Types {
  const both = [...one].filter((name) => other.has(name));
  return both.length === one.size ? one : new Set(both);
}

function union(sets: readonly Types[]): Types {
  const [only, another] = sets;
  return only !== undefined && another === undefined ? only : new Set(sets.flatMap((set) => [...set]));
}

function once<Name>(follow: (types: Types, name: Name) => Types): (types: Types, name: Name) => Types {
  const known = new Map<Types, Map<Name, Types>>();
  return (types, name) => {
    const byName = known.get(types) ?? new Map<Name, Types>();
    known.set(types, byName);
    const found = byName.get(name) ?? follow(types, name);
    byName.set(name, found);
    return found;
  };
}
