import type { FieldNode, GraphQLError, GraphQLField } from 'graphql';

import type { SubgraphContext } from '../context.ts';

/** A step of a path into the answer. */
export interface Path {
  /** Undefined for a root field. */
  readonly above: Path | undefined;
  readonly key: string | number;
}

/** What one execution of a compiled query works with. */
export interface Run {
  readonly context: SubgraphContext<unknown>;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the answer will say went wrong, in the order in which it did. */
  readonly errors: GraphQLError[];
  /** The arguments of each field: they are the same wherever in the answer it stands. */
  readonly argumentsOf: Map<CompiledField, ArgumentValues>;
}

export type ArgumentValues = Readonly<Record<string, unknown>>;

/**
 * Makes of a value what the answer shows of it at `key` below `above`, or a promise of that. Throws or rejects where the value
 * will not do; the nearest place above that may be null catches it.
 */
export type Complete = (value: unknown, run: Run, above: Path | undefined, key: string | number) => unknown;

/** A field of a selection set, with all that the query and the schema say about it. */
export interface CompiledField {
  readonly responseKey: string;
  /** Where it stands in the query: several times, where selection sets were merged. */
  readonly nodes: readonly FieldNode[];
  readonly definition: GraphQLField<unknown, unknown>;
  readonly resolve: Resolve;
  readonly isNullable: boolean;
  readonly complete: Complete;
}

/** A resolver of the kit: unlike one of graphql-js, it gets no `info`. */
export type Resolve = (
  source: unknown,
  argumentValues: ArgumentValues,
  context: SubgraphContext<unknown>,
) => unknown;

/** The fields that are selected of an object, in the order of the answer. */
export type CompiledSelection = readonly CompiledField[];
