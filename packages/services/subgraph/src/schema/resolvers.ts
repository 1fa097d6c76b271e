import type { SubgraphContext } from '../context.ts';

/**
 * Resolvers in the shape of the schema: type → field → function; for an enum, value → internal value.
 * `__resolveReference` finds an entity by its representation.
 */
export type Resolvers<Loaders> = Readonly<Record<string, TypeResolvers<Loaders>>>;

/** The resolvers of one type. */
export type TypeResolvers<Loaders> = Readonly<Record<string, Resolver<Loaders> | EnumValue>>;

// `never` takes any parent and any arguments: the schema has their types, which TypeScript does not see.
type Resolver<Loaders> = (
  parent: never,
  argumentsOrContext: never,
  context: SubgraphContext<Loaders>,
) => unknown;

type EnumValue = string;

/** The fields of one type, for `satisfies`: it types the parent and the context of each resolver. */
export type FieldResolvers<Parent, Context> = Readonly<
  Record<string, (parent: Parent, argumentValues: never, context: Context) => unknown>
>;
