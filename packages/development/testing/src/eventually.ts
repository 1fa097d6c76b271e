import { setTimeout as delay } from 'node:timers/promises';

/**
 * Waits until an assertion holds. After a minute, which only a loaded machine needs, it fails with the assertion's
 * error.
 */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  const endsMs = performance.now() + 60_000;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (performance.now() > endsMs) {
        throw error;
      }
      await delay(10);
    }
  }
}
