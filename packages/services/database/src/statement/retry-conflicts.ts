import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs a change of the catalogue, and again where another one got in its way. Of two that change a role or a database's
 * rights at once, on this server or on a worker, the slower gets "tuple concurrently updated", which has no code of its
 * own but internal_error.
 */
export async function retryConflicts<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (!isConflict(error) || attempt === 10) {
        throw error;
      }
      await delay(10 * attempt);
    }
  }
}

/** The error itself, or the cause of one that says which migration failed. */
function isConflict(error: unknown): boolean {
  return (
    error instanceof Error &&
    (('code' in error && error.code === 'XX000' && error.message.startsWith('tuple concurrently ')) ||
      isConflict(error.cause))
  );
}
