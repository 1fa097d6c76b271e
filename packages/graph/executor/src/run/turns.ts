/**
 * The most callers that go on in one turn of the event loop. Each makes a response for a client: requests wait no longer
 * than for these, and few of them survive collections of the young generation.
 */
export const callersInTurn = 128;

let placesLeft = callersInTurn;
const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop that has a place, in the order of the calls. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (placesLeft === callersInTurn) {
      setImmediate(beginTurn);
    }
    if (placesLeft > 0) {
      placesLeft -= 1;
      resolve();
    } else {
      waiting.push(resolve);
    }
  });
}

function beginTurn(): void {
  const next = waiting.splice(0, callersInTurn);
  placesLeft = callersInTurn - next.length;
  if (next.length > 0) {
    setImmediate(beginTurn);
  }
  next.forEach((resolve) => resolve());
}
