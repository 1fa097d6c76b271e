import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds; fails when it does not within this many seconds. */
export async function eventually(condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within ${seconds} s: ${condition.toString()}`);
    }
    await delay(50);
  }
}
