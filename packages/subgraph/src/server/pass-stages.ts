import type { RequestListener } from 'node:http';

import type { HandleError, Middleware } from '@meridian/http';

/** Runs each request through the middleware, in order. `answerError` responds to their errors. */
export function passStages(stages: readonly Middleware[], handleError: HandleError): RequestListener {
  return (request, response) => {
    const fail = (error: unknown) => handleError(error, request, response, undefined);
    const passFrom = async (index: number): Promise<void> => {
      try {
        await stages[index]?.(request, response, (error) => {
          if (error === undefined) {
            void passFrom(index + 1);
          } else {
            fail(error);
          }
        });
      } catch (error) {
        fail(error);
      }
    };
    void passFrom(0);
  };
}
