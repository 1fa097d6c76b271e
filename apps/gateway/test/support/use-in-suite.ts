import { afterAll, beforeAll } from '@jest/globals';

interface Closable {
  readonly close: () => unknown;
}

/** Those that are open, in the order in which they were opened. */
const opened: Closable[] = [];

/**
 * A part of a suite: opened before its tests, in the order of the calls, and closed after them, the last one first.
 *
 * @returns a stand-in, with the members that the part has when they are read
 */
export function useInSuite<Part extends Closable>(open: () => Promise<Part>): Part {
  let part: Part | undefined;
  beforeAll(async () => {
    part = await open();
    opened.push(part);
  });
  afterAll(async () => {
    await opened.pop()?.close();
  });
  return standIn(() => part);
}

/** An object with the members of another, which is there by the time that they are used. */
export function standIn<Part extends object>(current: () => Part | undefined): Part {
  const part = (): Part => {
    const found = current();
    if (found === undefined) {
      throw new Error('it has not started');
    }
    return found;
  };
  return new Proxy({} as Part, {
    get: (_target, name): unknown => Reflect.get(part(), name),
    set: (_target, name, value) => Reflect.set(part(), name, value),
  });
}
