/** Does one task after the other, in the order in which they were given; answers when this one is done. */
export type SerialQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Creates a queue of tasks. One that rejects does not keep the next from its turn. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return async (task) => {
    const turn = last.then(task);
    last = turn.catch(() => undefined);
    return await turn;
  };
}
