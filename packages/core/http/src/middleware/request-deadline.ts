import type { IncomingMessage } from 'node:http';

import { DeadlineQueue } from '@meridian/cancellation';

import { ClientDisconnected } from '../exchange/early-end.ts';
import { RequestSignal } from '../exchange/request-signal.ts';
import { createRequestSlot } from '../exchange/request-slot.ts';
import type { Middleware } from './middleware.ts';

const slot = createRequestSlot<RequestSignal>('requestDeadline');

/**
 * The signal of a request that passed `requestDeadline`. When it aborts, its reason is a `DeadlineExceeded` or a
 * `ClientDisconnected`.
 */
export const signalOf = slot.read;

/** The signal of a request; undefined if it did not pass `requestDeadline`. */
export const peekSignal = slot.peek;

/** The signal of a request, for functions that need an `AbortSignal`. */
export function abortSignalOf(request: IncomingMessage): AbortSignal {
  const signal = signalOf(request);
  const controller = new AbortController();
  if (signal.aborted) {
    controller.abort(signal.reason);
  } else {
    signal.addEventListener('abort', () => controller.abort(signal.reason));
  }
  return controller.signal;
}

/** Gives each request a signal that aborts at its deadline, and when its client hangs up. */
export function requestDeadline(deadlineMs: number): Middleware {
  const deadlines = new DeadlineQueue(deadlineMs);
  return (request, response, next) => {
    const signal = new RequestSignal(deadlines, deadlineMs);
    response.on('close', () => {
      signal.endDeadline();
      if (!response.writableFinished) {
        signal.abort(new ClientDisconnected());
      }
    });
    slot.fill(request, signal);
    next();
  };
}
