import type { GraphQLFormattedError } from 'graphql';

import type { RunError } from '../../operation/run.ts';

type ShownErrors = readonly GraphQLFormattedError[];

/** The errors of a response by kind. */
export interface PlacedErrors {
  readonly errors: ShownErrors;
  readonly unauthorized: ShownErrors;
}

/**
 * Separates the errors of unauthorized fields from the others.
 *
 * @param shown as the client gets them, in the order of `errors`
 */
export function separateUnauthorized(errors: readonly RunError[], shown: ShownErrors): PlacedErrors {
  const isUnauthorized = (_error: unknown, index: number): boolean => errors[index]?.kind === 'unauthorized';
  return {
    errors: shown.filter((error, index) => !isUnauthorized(error, index)),
    unauthorized: shown.filter(isUnauthorized),
  };
}
