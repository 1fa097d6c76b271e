import type { GraphQLSchema } from 'graphql';

import { schemaElements } from '../changes/api/schema-elements.ts';
import type { OperationFacts } from '../changes/impact/operation-facts.ts';

/** An element that the schema announces the end of. */
export interface DeprecatedElement {
  readonly coordinate: string;
  readonly reason: string;
}

/** The deprecated fields, arguments, input fields and enum values of a schema, in the order of their coordinates. */
export function deprecatedElements(schema: GraphQLSchema): readonly DeprecatedElement[] {
  return [...schemaElements(schema)]
    .flatMap(([coordinate, { deprecationReason: reason }]) =>
      reason === undefined ? [] : [{ coordinate, reason }],
    )
    .toSorted((one, other) => (one.coordinate < other.coordinate ? -1 : 1));
}

/** The use of a deprecated element by an operation. */
export interface DeprecatedUse {
  readonly element: DeprecatedElement;
  /** False for what variables may hold, which depends on the client's code. */
  readonly isCertain: boolean;
}

/**
 * The deprecated elements that an operation's author can leave: what it selects and writes, and what its variables may
 * hold. An enum value that a response may hold is not among them.
 */
export function deprecatedUses(
  { resolvedFields, written, variableTypes }: OperationFacts,
  deprecated: readonly DeprecatedElement[],
): readonly DeprecatedUse[] {
  return deprecated.flatMap((element): DeprecatedUse[] => {
    const { coordinate } = element;
    const isCertain = resolvedFields.has(coordinate) || written.has(coordinate);
    const mayBeSent = variableTypes.has(coordinate.slice(0, coordinate.indexOf('.')));
    return isCertain || mayBeSent ? [{ element, isCertain }] : [];
  });
}
