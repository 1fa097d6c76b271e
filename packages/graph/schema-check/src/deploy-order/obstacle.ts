import type { SubgraphInterface } from '@meridian/composition';
import type { FetchStep, Supergraph } from '@meridian/executor';
import type { GraphQLSchema, GraphQLType } from 'graphql';
import { isAbstractType, isListType, isNamedType, isNonNullType, isObjectType } from 'graphql';

/** A reason why requests fail while a subgraph and the supergraph are of different versions. */
export interface Obstacle {
  /** Of the element that only one version knows, or `fetch` for the whole of one. */
  readonly coordinate: string;
  /** A sentence without its full stop; equal for equal obstacles. */
  readonly message: string;
  /** - `input`: it fails only for clients that send something new. */
  readonly side: 'fetch' | 'output' | 'input';
}

/** A fetch of a plan that another version of its subgraph gets. */
export interface ForeignFetch {
  readonly fetch: FetchStep;
  /** The supergraph that the plan was made for: it reads the response. */
  readonly supergraph: Supergraph;
  /** The version of the subgraph that answers. */
  readonly subgraph: SubgraphInterface;
}

/** True when every value of a type that one side produces is a value of the type that the other side takes. */
export function takesValuesOf(schema: GraphQLSchema, accepted: GraphQLType, produced: GraphQLType): boolean {
  if (isNonNullType(accepted)) {
    return isNonNullType(produced) && takesValuesOf(schema, accepted.ofType, produced.ofType);
  }
  if (isNonNullType(produced)) {
    return takesValuesOf(schema, accepted, produced.ofType);
  }
  if (isListType(accepted)) {
    return isListType(produced) && takesValuesOf(schema, accepted.ofType, produced.ofType);
  }
  return isNamedType(accepted) && isNamedType(produced) && takesNamed(schema, accepted.name, produced.name);
}

/** Types whose values are written in the same way, or one as the other. */
const acceptedAs: Readonly<Record<string, readonly string[]>> = {
  Float: ['Int'],
  ID: ['String', 'Int'],
  String: ['ID'],
};

function takesNamed(schema: GraphQLSchema, accepted: string, produced: string): boolean {
  if (accepted === produced || acceptedAs[accepted]?.includes(produced) === true) {
    return true;
  }
  const [wide, narrow] = [schema.getType(accepted), schema.getType(produced)];
  if (!isAbstractType(wide)) {
    return false;
  }
  const possible = new Set(schema.getPossibleTypes(wide));
  const inner = isAbstractType(narrow) ? schema.getPossibleTypes(narrow) : [narrow].filter(isObjectType);
  return inner.length > 0 && inner.every((type) => possible.has(type));
}
