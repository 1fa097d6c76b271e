import { setTimeout as delay } from 'node:timers/promises';

/** Waits until an assertion holds; after 5 s it fails as the assertion does. */
export async function eventually(assertion: () => void | Promise<void>): Promise<void> {
  const endsMs = performance.now() + 5000;
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
