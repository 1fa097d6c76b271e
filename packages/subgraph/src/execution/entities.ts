// Spec: Apollo Federation, "Query._entities". What @apollo/subgraph does for any schema, without promises that only pass a value on.
import { GraphQLError, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';

import type { SubgraphContext } from '../context.ts';
import { typeNameOf } from '../guards/entity-types.ts';
import type { Guard } from '../guards/guard.ts';
import type { CompiledSelection, Complete, Resolve } from './compiled.ts';
import { isPromise } from './promises.ts';
import { runFields } from './run-fields.ts';

/** An entity that was asked for: its type, as the representation says, and what was found, or a promise of it. */
class Entity {
  readonly typeName: string;
  readonly value: unknown;

  constructor(typeName: string, value: unknown) {
    this.typeName = typeName;
    this.value = value;
  }
}

type ResolveReference = (representation: unknown, context: SubgraphContext<unknown>) => unknown;

/**
 * Resolves `_entities` to an `Entity` for each representation. One that fails, fails alone.
 *
 * @param guards what is checked before
 */
export function resolveEntities(schema: GraphQLSchema, guards: readonly Guard[]): Resolve {
  const resolvers = new Map(
    Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .map((type) => [type.name, referenceResolverIn(type.extensions)]),
  );
  return (_query, argumentValues, context) => {
    for (const guard of guards) {
      guard(argumentValues, context);
    }
    const { representations } = argumentValues;
    return Array.isArray(representations)
      ? representations.map((representation: unknown) => {
          const typeName = typeNameOf(representation);
          return new Entity(typeName, resolve(resolvers.get(typeName), representation, context));
        })
      : [];
  };
}

/** An error that is thrown is kept in the entity's place: others have begun by then. */
function resolve(
  resolveReference: ResolveReference | undefined,
  representation: unknown,
  context: SubgraphContext<unknown>,
): unknown {
  if (resolveReference === undefined) {
    return representation;
  }
  try {
    return resolveReference(representation, context);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Where @apollo/subgraph keeps a type's `__resolveReference`. */
function referenceResolverIn(extensions: Readonly<Record<string, unknown>>): ResolveReference | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- so its documentation says
  const { apollo } = extensions as { apollo?: { subgraph?: { resolveReference?: ResolveReference } } };
  return apollo?.subgraph?.resolveReference;
}

/** Completes an `Entity` with what is selected of its type. */
export function completeEntity(selections: ReadonlyMap<string, CompiledSelection>): Complete {
  return (entity, run, above, key) => {
    if (!(entity instanceof Entity)) {
      throw new Error('Only _entities resolves to the union of entities');
    }
    const { typeName, value } = entity;
    const completeFound = (found: unknown): unknown => {
      if (found === null || found === undefined) {
        return null;
      }
      if (found instanceof Error) {
        throw found;
      }
      const selection = selections.get(typeName);
      if (selection === undefined) {
        throw new GraphQLError(`Runtime Object type "${typeName}" is not a possible type for "_Entity".`);
      }
      return runFields(selection, found, run, { above, key });
    };
    return isPromise(value) ? value.then(completeFound) : completeFound(value);
  };
}
