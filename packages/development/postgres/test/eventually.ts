import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a condition holds; fails when it does not within a minute, which only a loaded machine needs. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > deadline) {
      throw new Error(`Not within a minute: ${condition.toString()}`);
    }
    await delay(10);
  }
}
