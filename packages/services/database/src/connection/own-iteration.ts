import { setImmediate as nextIteration } from 'node:timers/promises';

/**
 * Creates a function whose promises resolve in order, each in an iteration of the event loop of its own. What arrives
 * in the meantime, such as requests of other tenants, is read in between.
 */
export function createOwnIterations(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => nextIteration());
    return last;
  };
}
