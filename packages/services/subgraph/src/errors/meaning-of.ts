import { OutcomeUnknown, StoreTimeout, StoreUnavailable } from '@meridian/database';
import { DeadlineExceeded } from '@meridian/http';
import { Problem } from '@meridian/problem-details';

import { ClientError } from './client-error.ts';

/** The client's message for a failure. */
export interface ErrorMeaning {
  readonly code: string;
  readonly message: string;
}

/** The code and message for an error of a resolver that a client may know about; any other error is a bug. */
export function meaningOf(error: unknown): ErrorMeaning | undefined {
  if (error instanceof ClientError) {
    return { code: error.code, message: error.message };
  }
  if (error instanceof Problem && error.status < 500) {
    // Made only from what the client sent, as a `ClientError`.
    return { code: error.kind.replaceAll('-', '_').toUpperCase(), message: error.detail };
  }
  if (error instanceof StoreTimeout || error instanceof DeadlineExceeded) {
    return { code: 'GATEWAY_TIMEOUT', message: 'The subgraph did not respond within its deadline' };
  }
  if (error instanceof OutcomeUnknown) {
    return {
      code: 'OUTCOME_UNKNOWN',
      message: 'The outcome of the write is unknown: read before writing again',
    };
  }
  if (error instanceof StoreUnavailable) {
    return { code: 'SERVICE_UNAVAILABLE', message: 'The subgraph cannot reach its store' };
  }
  if (error instanceof UpstreamUnavailable) {
    return {
      code: 'SERVICE_UNAVAILABLE',
      message: 'The subgraph cannot reach a service that the field needs',
    };
  }
  return undefined;
}

/**
 * A service that the field needs is away or too slow, or sent an invalid response. Logged with its cause; a client sees
 * `SERVICE_UNAVAILABLE`. A write that ends with this has changed nothing.
 */
export class UpstreamUnavailable extends Error {
  override readonly name = 'UpstreamUnavailable';
}
