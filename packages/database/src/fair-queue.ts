/** Shares a number of things among parties, so that no party waits for everything that another has requested. */
export interface FairQueue {
  /**
   * Resolves when it is the party's turn: at once while something is left for it. Parties that wait take turns, each in the
   * order of its own asking.
   */
  take(party: string): Promise<void>;
  /** Ends a turn of the party, and begins the next one. */
  release(party: string): void;
}

/** The time in which a party counts as active after it last asked. */
const activeMs = 1000;

/**
 * Creates a queue for a number of things. While other parties are active, a party may have one more than they have or
 * wait for, so a demanding party gets no more turns than it leaves to others.
 *
 * @param mostOfParty how many of them one party may have at once; the rest is left to others, whatever it holds on to
 */
export function createFairQueue(
  count: number,
  mostOfParty: number,
  clock: () => number = () => performance.now(),
): FairQueue {
  let left = count;
  let waitingCount = 0;
  const taken = new Map<string, number>();
  // The party whose last request is the oldest comes first.
  const lastAskedMs = new Map<string, number>();
  // A Map keeps the order of insertion: the first party is the next one.
  const waiting = new Map<string, (() => void)[]>();

  const takenBy = (party: string): number => taken.get(party) ?? 0;
  const forgetInactive = (): void => {
    const sinceMs = clock() - activeMs;
    for (const [party, askedMs] of lastAskedMs) {
      if (askedMs >= sinceMs) {
        return;
      }
      lastAskedMs.delete(party);
    }
  };
  const isAnotherActive = (party: string): boolean => lastAskedMs.size > (lastAskedMs.has(party) ? 1 : 0);
  const mayTake = (party: string): boolean => {
    const ofParty = takenBy(party);
    const ofOthers = count - left - ofParty + waitingCount - (waiting.get(party)?.length ?? 0);
    return left > 0 && ofParty < mostOfParty && (ofParty <= ofOthers || !isAnotherActive(party));
  };
  const begin = (party: string): void => {
    left -= 1;
    taken.set(party, takenBy(party) + 1);
  };
  const end = (party: string): void => {
    left += 1;
    if (takenBy(party) > 1) {
      taken.set(party, takenBy(party) - 1);
    } else {
      taken.delete(party);
    }
  };
  /** Returns false where no party that waits may take one. */
  const beginNext = (): boolean => {
    const party = waiting.keys().find(mayTake);
    const ofParty = party === undefined ? undefined : waiting.get(party);
    if (party === undefined || ofParty === undefined) {
      return false;
    }
    waitingCount -= 1;
    waiting.delete(party);
    const first = ofParty.shift();
    if (ofParty.length > 0) {
      waiting.set(party, ofParty);
    }
    begin(party);
    first?.();
    return true;
  };

  return {
    async take(party) {
      lastAskedMs.delete(party);
      lastAskedMs.set(party, clock());
      forgetInactive();
      if (mayTake(party)) {
        begin(party);
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const ofParty = waiting.get(party);
      waitingCount += 1;
      if (ofParty === undefined) {
        waiting.set(party, [resolve]);
      } else {
        ofParty.push(resolve);
      }
      await promise;
    },
    release(party) {
      end(party);
      forgetInactive();
      while (beginNext()) {
        // The next party begins, and may be followed by others.
      }
    },
  };
}
