import type { DeferredFragment } from '@meridian/executor';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';
import type { GraphQLFormattedError } from 'graphql';

import { TokenExpired } from '../../errors/token-expired.ts';
import type { RunBatch, RunError, RunFragment } from '../../operation/run.ts';

/** Logs and masks the errors of one part. */
export type ShowErrors = (errors: readonly RunError[]) => readonly GraphQLFormattedError[];

/** The batches of a deferred result, with the errors that the client may see. */
export async function* maskBatches(
  batches: AsyncIterable<RunBatch>,
  show: ShowErrors,
): AsyncGenerator<RunBatch<GraphQLFormattedError>, void, void> {
  for await (const { completed, pending } of batches) {
    const shown = completed.map(({ fragment, data, errors }) => ({ fragment, data, errors: show(errors) }));
    yield { completed: shown, pending };
  }
}

/**
 * The fragments that a client still waits for when the rest of a result cannot come: null, with an error each.
 *
 * @param reason for which it cannot come; `ClientDisconnected` is rethrown
 */
export function failedFragments(
  reason: unknown,
  open: readonly DeferredFragment[],
  show: ShowErrors,
): readonly RunFragment<GraphQLFormattedError>[] {
  if (reason instanceof ClientDisconnected) {
    throw reason;
  }
  return open.map((fragment) => ({
    fragment,
    data: 'null',
    errors: show([{ ...errorOf(reason), path: fragment.path }]),
  }));
}

function errorOf(reason: unknown): RunError {
  if (reason instanceof TokenExpired) {
    return { kind: 'unauthorized', requirement: 'a token that has not expired' };
  }
  return reason instanceof DeadlineExceeded
    ? { kind: 'subrequest', code: 'GATEWAY_TIMEOUT', cause: reason }
    : { kind: 'internal', cause: reason };
}
