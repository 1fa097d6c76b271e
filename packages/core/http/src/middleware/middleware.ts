import type { IncomingMessage, ServerResponse } from 'node:http';

/** Passes a request on; with an error, rejects it. As in Express, null is not an error. */
export type Next = (error?: unknown) => void;

/**
 * A step of a request: it calls `next` to pass the request on, calls `next(error)` or throws to reject it, or responds.
 * It needs only Node's request and response, so it works in Express and in a plain `node:http` listener.
 */
export type Middleware<
  Request extends IncomingMessage = IncomingMessage,
  Response extends ServerResponse = ServerResponse,
> = (request: Request, response: Response, next: Next) => unknown;

/**
 * Makes one middleware of several, which run in order, each after the previous one has called `next`. To Express it is
 * one layer: a layer for each costs more than most of them do. What one throws, and what its promise is rejected with,
 * goes to the `next` of the whole.
 */
export function inSequence<
  Request extends IncomingMessage = IncomingMessage,
  Response extends ServerResponse = ServerResponse,
>(
  steps: readonly Middleware<Request, Response>[],
): (request: Request, response: Response, passOn: Next) => void {
  return (request, response, passOn) => {
    let begun = 0;
    const advance: Next = (fault) => {
      const step = steps[begun];
      if ((fault ?? undefined) !== undefined || step === undefined) {
        passOn(fault);
        return;
      }
      begun += 1;
      try {
        const result = step(request, response, advance);
        if (result instanceof Promise) {
          result.catch(passOn);
        }
      } catch (thrown) {
        passOn(thrown);
      }
    };
    advance();
  };
}
