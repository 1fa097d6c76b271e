import type { GraphQLOutputType, GraphQLSchema } from 'graphql';
import { getNamedType, getNullableType, isEnumType, isListType, isNonNullType } from 'graphql';

import { byte } from '../../run/splice/cursor.ts';
import { readItems } from '../../run/splice/read-items.ts';
import type { ReadLeaf } from '../../run/splice/read-leaf.ts';
import {
  enumReader,
  readAnything,
  readBoolean,
  readInt,
  readNull,
  readNumber,
  readString,
} from '../../run/splice/read-leaf.ts';

export interface SplicedSchemas {
  /** Everything: what subgraphs may answer. */
  readonly schema: GraphQLSchema;
  /** What of it clients may see. */
  readonly apiSchema: GraphQLSchema;
}

const builtInScalars: ReadonlyMap<string, ReadLeaf> = new Map([
  ['Int', readInt],
  ['Float', readNumber],
  ['String', readString],
  ['Boolean', readBoolean],
  // As an integer it would have to be written in another way than it came in.
  ['ID', readString],
]);

/** What reads a leaf of a type, or a list of leaves as one text. */
export function leafReader(schemas: SplicedSchemas, type: GraphQLOutputType): ReadLeaf {
  const nullable = getNullableType(type);
  const read = isListType(nullable)
    ? leafListReader(leafReader(schemas, nullable.ofType))
    : namedReader(schemas, getNamedType(type).name);
  return isNonNullType(type)
    ? read
    : (cursor) => (cursor.bytes[cursor.position] === byte.n ? readNull(cursor) : read(cursor));
}

function leafListReader(read: ReadLeaf): ReadLeaf {
  return (cursor) => {
    const start = cursor.position;
    readItems(cursor, read);
    return cursor.text.slice(start, cursor.position);
  };
}

function namedReader({ schema, apiSchema }: SplicedSchemas, typeName: string): ReadLeaf {
  const type = apiSchema.getType(typeName) ?? schema.getType(typeName);
  return isEnumType(type)
    ? enumReader(type.getValues().map(({ name }) => name))
    : (builtInScalars.get(typeName) ?? readAnything);
}
