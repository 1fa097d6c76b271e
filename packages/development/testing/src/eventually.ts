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
      // Of a long wait, the last pause is a twentieth: asking more often takes the processor from what is waited for.
      await delay(Math.max(10, waitedMs / 20));
    }
  }
}
