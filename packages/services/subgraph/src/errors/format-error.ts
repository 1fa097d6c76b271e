import { unwrapResolverError } from '@apollo/server/errors';
import type { Mode } from '@meridian/settings/environment';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';

import { meaningOf } from './meaning-of.ts';

export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/**
 * Formats an error for the client. In production it shows only that a bug or an outage occurred: no stack, no SQL, no
 * host name. Spec: Errors, rule 4.
 */
export function createFormatError(mode: Mode): FormatError {
  return (formatted, error) => {
    const meaning = meaningOf(unwrapResolverError(error));
    if (meaning !== undefined) {
      return { ...formatted, message: meaning.message, extensions: { code: meaning.code } };
    }
    if (mode === 'development' || isAboutTheRequest(error)) {
      return formatted;
    }
    return {
      ...formatted,
      message: 'Internal server error',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    };
  };
}

/** True if GraphQL itself rejected the operation before any field ran, for its syntax, its fields or its variables. */
export function isAboutTheRequest(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    error.path === undefined &&
    (error.originalError === undefined || error.originalError instanceof GraphQLError)
  );
}

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
