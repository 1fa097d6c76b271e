import type { SubgraphContext } from '../context.ts';
import type { SubscriptionEvents } from '../subscriptions/subscription-event.ts';

/**
 * Resolvers in the shape of the schema: type → field → function; for an enum, value → internal value.
 * `__resolveReference` finds an entity by its representation.
 */
export type Resolvers<Loaders> = Readonly<Record<string, TypeResolvers<Loaders>>>;

/** The resolvers of one type. */
export type TypeResolvers<Loaders> = Readonly<
  Record<string, Resolver<Loaders> | SubscriptionResolver<Loaders> | EnumValue>
>;

// `never` takes any parent and any arguments: the schema has their types, which TypeScript does not see.
type Resolver<Loaders> = (
  parent: never,
  argumentsOrContext: never,
  context: SubgraphContext<Loaders>,
) => unknown;

/** A field of `Subscription`. */
interface SubscriptionResolver<Loaders> {
  /** The events from now on, or after `context.resumeAfter`. It ends them when `context.signal` aborts. */
  readonly subscribe: (
    root: never,
    argumentValues: never,
    context: SubgraphContext<Loaders>,
  ) => SubscriptionEvents<unknown> | Promise<SubscriptionEvents<unknown>>;
  /** The field of an event. Default: its value. */
  readonly resolve?: Resolver<Loaders>;
}

type EnumValue = string;

/** The fields of one type, for `satisfies`: it types the parent and the context of each resolver. */
export type FieldResolvers<Parent, Context> = Readonly<
  Record<string, (parent: Parent, argumentValues: never, context: Context) => unknown>
>;
