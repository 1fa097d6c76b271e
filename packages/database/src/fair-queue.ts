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

/** @param mostOfParty how many of them one party may have at once; the rest is left to others, whatever it holds on to */
export function createFairQueue(count: number, mostOfParty: number): FairQueue {
  let left = count;
  const taken = new Map<string, number>();
  // A Map keeps the order of insertion: the first party is the next one.
  const waiting = new Map<string, (() => void)[]>();

  const takenBy = (party: string): number => taken.get(party) ?? 0;
  const mayTake = (party: string): boolean => left > 0 && takenBy(party) < mostOfParty;
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
  const beginNext = (): void => {
    const party = waiting.keys().find(mayTake);
    const ofParty = party === undefined ? undefined : waiting.get(party);
    if (party === undefined || ofParty === undefined) {
      return;
    }
    waiting.delete(party);
    const first = ofParty.shift();
    if (ofParty.length > 0) {
      waiting.set(party, ofParty);
    }
    begin(party);
    first?.();
  };

  return {
    async take(party) {
      if (mayTake(party)) {
        begin(party);
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const ofParty = waiting.get(party);
      if (ofParty === undefined) {
        waiting.set(party, [resolve]);
      } else {
        ofParty.push(resolve);
      }
      await promise;
    },
    release(party) {
      end(party);
      beginNext();
    },
  };
}
