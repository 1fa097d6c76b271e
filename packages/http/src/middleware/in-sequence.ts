import type { IncomingMessage, ServerResponse } from 'node:http';

/** A step of a request: a middleware, or the handler at the end. */
export type Step<Request extends IncomingMessage, Response extends ServerResponse> = (
  request: Request,
  response: Response,
  next: (error?: unknown) => void,
) => unknown;

/**
 * Makes one middleware of several, which run in order, each after the previous one has called `next`. To Express it is
 * one layer: a layer for each step costs more than most steps. What a step throws, and what its promise is rejected
 * with, goes to the `next` of the whole.
 */
export function inSequence<Request extends IncomingMessage, Response extends ServerResponse>(
  steps: readonly Step<Request, Response>[],
): (request: Request, response: Response, passOn: (fault?: unknown) => void) => void {
  return (request, response, passOn) => {
    let begun = 0;
    const advance = (fault?: unknown): void => {
      const step = steps[begun];
      // As in Express, null is not a fault: callbacks pass it where all went well.
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
