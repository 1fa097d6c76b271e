import type { GraphQLOutputType, GraphQLSchema } from 'graphql';
import { getNamedType, getNullableType, isEnumType, isListType, isNonNullType } from 'graphql';

import { byte } from '../tape/tape.ts';
import { enterArray, nextElement } from '../tape/tokens.ts';
import type { SkipLeaf } from '../tape/skip-value.ts';
import {
  enumSkipper,
  skipBoolean,
  skipInt,
  skipJsonValue,
  skipNull,
  skipNumber,
  skipString,
} from '../tape/skip-value.ts';

export interface SplicerSchemas {
  /** The full schema: everything that subgraphs may return. */
  readonly schema: GraphQLSchema;
  /** The part of it that clients see. */
  readonly apiSchema: GraphQLSchema;
}

const builtInScalars: ReadonlyMap<string, SkipLeaf> = new Map([
  ['Int', skipInt],
  ['Float', skipNumber],
  ['String', skipString],
  ['Boolean', skipBoolean],
  // An integer would have to be rewritten as a string.
  ['ID', skipString],
]);

/** Creates a function that skips a leaf of a type, or a list of leaves. */
export function leafSkipper(schemas: SplicerSchemas, type: GraphQLOutputType): SkipLeaf {
  const nullable = getNullableType(type);
  const skip = isListType(nullable)
    ? leafListSkipper(leafSkipper(schemas, nullable.ofType))
    : namedSkipper(schemas, getNamedType(type).name);
  return isNonNullType(type)
    ? skip
    : (tape) => (tape.bytes[tape.position] === byte.n ? skipNull(tape) : skip(tape));
}

function leafListSkipper(skip: SkipLeaf): SkipLeaf {
  return (tape) => {
    for (let isThere = enterArray(tape); isThere; isThere = nextElement(tape)) {
      skip(tape);
    }
  };
}

function namedSkipper({ schema, apiSchema }: SplicerSchemas, typeName: string): SkipLeaf {
  const type = apiSchema.getType(typeName) ?? schema.getType(typeName);
  return isEnumType(type)
    ? enumSkipper(type.getValues().map(({ name }) => name))
    : (builtInScalars.get(typeName) ?? skipJsonValue);
}
