import type { GraphQLError, GraphQLFormattedError } from 'graphql';

import type { FormatError } from './format-error.ts';

/** Formats errors for the client, as Apollo Server does. */
export function formatErrors(
  errors: readonly GraphQLError[],
  formatError: FormatError,
): GraphQLFormattedError[] {
  return errors.map((error) => {
    const { code = 'INTERNAL_SERVER_ERROR' } = error.extensions;
    return formatError({ ...error.toJSON(), extensions: { ...error.extensions, code } }, error);
  });
}
