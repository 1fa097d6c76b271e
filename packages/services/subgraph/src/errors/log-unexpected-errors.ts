import { unwrapResolverError } from '@apollo/server/errors';
import { Problem } from '@meridian/problem-details';
import type { GraphQLError } from 'graphql';

import type { SubgraphContext } from '../context.ts';
import { ClientError } from './client-error.ts';
import { isAboutTheRequest } from './format-error.ts';

/** Logs, once and with their causes, errors that a client must not see: all but those about its own request. */
export function logUnexpectedErrors(
  errors: readonly GraphQLError[],
  { signal, log }: SubgraphContext<unknown>,
  operationName: string | null | undefined,
): void {
  // A cancelled request fails wherever it is; that is not an error of these fields.
  if (signal.aborted) {
    return;
  }
  for (const error of errors) {
    const thrown = unwrapResolverError(error);
    const isOfClient = thrown instanceof ClientError || (thrown instanceof Problem && thrown.status < 500);
    if (isOfClient || isAboutTheRequest(error)) {
      continue;
    }
    log.error({ err: thrown, path: error.path?.join('.'), operationName }, 'a field failed');
  }
}
