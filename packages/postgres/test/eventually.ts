import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds; fails when it does not within ten seconds. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within ten seconds: ${condition.toString()}`);
    }
    await delay(10);
  }
}
