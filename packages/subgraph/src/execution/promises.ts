/** Whether a value is still to come. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Rejects with an error when what was begun beside it has settled. It has to be heard of: a rejection that nobody handles ends
 * the process.
 */
export async function rejectAfter(begun: readonly unknown[], error: unknown): Promise<never> {
  await Promise.allSettled(begun);
  throw error;
}
