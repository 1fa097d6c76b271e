import { setTimeout as delay } from 'node:timers/promises';

import { isWorthAnotherAttempt, classifyAbort } from './classify-error.ts';

const maxAttempts = 3;

/** Runs a whole transaction, and again when the server rolled it back for another's sake: three times at most. */
export async function withAttempts<Result>(
  run: () => Promise<Result>,
  signal: AbortSignal | undefined,
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

/** Two transactions in each other's way should not meet again: each waits for a time of its own. */
async function pause(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(Math.random() * 10 * 2 ** attempt, undefined, signal === undefined ? {} : { signal });
  } catch {
    throw classifyAbort(signal, false);
  }
}
