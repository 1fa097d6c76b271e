import { CombinedGraphQLErrors } from '@apollo/client';
import type { ErrorLike } from '@apollo/client';
import type { ReactElement } from 'react';

/** The notice for a query without a response, or with a partial one. */
export function Notice({
  error,
  isLoading,
}: {
  readonly error: ErrorLike | undefined;
  readonly isLoading: boolean;
}): ReactElement | null {
  if (isLoading) {
    return <p className="quiet">Loading …</p>;
  }
  return error === undefined ? null : (
    <p className="quiet" role="alert">
      Some of this page could not be loaded. {traceOf(error)}
    </p>
  );
}

/** The trace id, which a customer can quote and the support desk can look up. */
function traceOf(error: ErrorLike): string {
  const trace = CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['traceId'] : undefined;
  return typeof trace === 'string' ? `Trace ${trace}` : '';
}
