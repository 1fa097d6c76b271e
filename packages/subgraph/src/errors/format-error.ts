import { unwrapResolverError } from '@apollo/server/errors';
import type { Mode } from '@meridian/config';
import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';

import { meaningOf } from './meaning-of.ts';

export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/**
 * Formats an error for the client. In production nothing shows of a bug or an outage but that there was one: no
 * stack, no SQL, no host name. Spec: Errors, rule 4.
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

/**
 * True when GraphQL itself rejected the operation, for its syntax, its fields or its variables, before any
 * field ran.
 */
export function isAboutTheRequest(error: unknown): boolean {
  return (
    error instanceof GraphQLError &&
    error.path === undefined &&
    (error.originalError === undefined || error.originalError instanceof GraphQLError)
  );
}
