import { GraphQLError } from 'graphql';

/** A supergraph that cannot be run. The message says why, in one line. */
export class SupergraphError extends Error {
  override readonly name = 'SupergraphError';
}

/** The longest reason that is shown: a supergraph with many faults brings pages. */
const maxReasonLength = 500;

/** Wraps an error that occurred while a supergraph was loaded. */
export function supergraphFault(cause: unknown): SupergraphError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const line = reason
    .slice(0, maxReasonLength)
    .trim()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return new SupergraphError(`Cannot load the supergraph: ${placeOf(cause)}${line}`, { cause });
}

/** `line 2, column 5: ` of a fault that has a place in the text, such as a syntax error. */
function placeOf(cause: unknown): string {
  const place = cause instanceof GraphQLError ? cause.locations?.[0] : undefined;
  return place === undefined ? '' : `line ${place.line}, column ${place.column}: `;
}
