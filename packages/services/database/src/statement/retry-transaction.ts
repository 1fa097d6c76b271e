import type { StopSignal } from '@meridian/cancellation';

import { isWorthAnotherAttempt, classifyAbort } from '../errors/classify-error.ts';

const maxAttempts = 3;

/** Runs a whole transaction, and again if the server rolled it back in favour of another one: three times at most. */
export async function retryTransaction<Result>(
  run: () => Promise<Result>,
  signal: StopSignal | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === maxAttempts || !isWorthAnotherAttempt(error)) {
        throw error;
      }
      await pause(attempt, signal);
    }
  }
}

/** Each waits for a random time, so that two conflicting transactions do not meet again. */
async function pause(attempt: number, signal: StopSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, signal?.aborted === true ? 0 : Math.random() * 10 * 2 ** attempt);
  signal?.addEventListener('abort', resolve);
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener('abort', resolve);
  if (signal?.aborted === true) {
    throw classifyAbort(signal, false);
  }
}
