/** Queued items, taken in turn by owner: one owner with many items delays only its own. */
export interface FairQueue<Item> {
  readonly size: number;
  /**
   * Adds an item after its owner's others. When the queue is full, the last item of the owner with the most
   * is dropped.
   *
   * @returns the dropped item: the added one itself when no other owner has more
   */
  add(owner: string, item: Item): Item | undefined;
  /** True when `take` would return an item. */
  has(mayHave: (owner: string) => boolean): boolean;
  /** Takes the next item of the owner whose turn it is, of those that may have one. */
  take(mayHave: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | undefined;
}

export function createFairQueue<Item>(maxItems: number): FairQueue<Item> {
  // A Map keeps the order of insertion: the first owner is the one whose turn it is.
  const queues = new Map<string, Item[]>();
  let size = 0;

  const makePlace = (owner: string): Item | undefined => {
    const own = queues.get(owner)?.length ?? 0;
    const [longQueue] = [...queues].toSorted(([, one], [, other]) => other.length - one.length);
    if (longQueue === undefined || longQueue[1].length <= own + 1) {
      return undefined;
    }
    size -= 1;
    return longQueue[1].pop();
  };
  return {
    get size() {
      return size;
    },
    add(owner, item) {
      const dropped = size < maxItems ? undefined : makePlace(owner);
      if (size >= maxItems) {
        return item;
      }
      const queue = queues.get(owner) ?? [];
      queue.push(item);
      queues.set(owner, queue);
      size += 1;
      return dropped;
    },
    has: (mayHave) => queues.keys().some(mayHave),
    take(mayHave) {
      for (const [owner, queue] of queues) {
        const [item, ...rest] = queue;
        if (item !== undefined && mayHave(owner)) {
          queues.delete(owner);
          if (rest.length > 0) {
            queues.set(owner, rest);
          }
          size -= 1;
          return { owner, item };
        }
      }
      return undefined;
    },
  };
}
