import { setTimeout as delay } from 'node:timers/promises';

/**
 * Runs a change of the catalogue, and again where another one got in its way. Of two that change a role or a database's
 * rights at once, on this server or on a worker, the slower gets "tuple concurrently updated", which has no code of its
 * own but internal_error. A change that does not get a lock in its `lock_timeout` is repeated for five minutes.
 *
 * @param onLocked is called before each pause for a lock
 */
export async function retryConflicts<Result>(
  change: () => Promise<Result>,
  onLocked: () => void = () => undefined,
): Promise<Result> {
  const attempts = { locked: 0, changed: 0 };
  for (;;) {
    try {
      return await change();
    } catch (error) {
      const conflict = conflictOf(error);
      if (conflict === undefined || ++attempts[conflict] === maxAttempts[conflict]) {
        throw error;
      }
      if (conflict === 'locked') {
        onLocked();
      }
      await delay(conflict === 'locked' ? 2000 : 10 * attempts.changed);
    }
  }
}

const maxAttempts = { locked: 100, changed: 10 };

/** Of the error itself, or of the cause of one that says which migration failed. */
function conflictOf(error: unknown): 'locked' | 'changed' | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  const code = 'code' in error ? error.code : undefined;
  if (code === '55P03') {
    return 'locked';
  }
  const isChanged = code === 'XX000' && error.message.startsWith('tuple concurrently ');
  return isChanged || code === '40P01' ? 'changed' : conflictOf(error.cause);
}
