/** Runs tasks one after another, in the order of the calls; resolves when this one is done. */
export type SerialQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Creates a queue of tasks. A task that rejects does not stop the next one. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return await turn;
  };
}
