import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until an assertion holds. After a minute, which only a loaded machine needs, it fails with the assertion's
 * error.
 */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      const waitedMs = performance.now() - startedMs;
      if (waitedMs > 60_000) {
        throw error;
      }
      // Asking often takes the processor from what a long wait is for.
      await delay(Math.min(200, Math.max(10, waitedMs / 20)));
    }
  }
}
