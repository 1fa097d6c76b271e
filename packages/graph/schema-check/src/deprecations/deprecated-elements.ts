import type { GraphQLSchema } from 'graphql';

import { schemaElements } from '../changes/api/schema-elements.ts';

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
