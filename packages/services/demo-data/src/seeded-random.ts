/** A repeatable source of numbers: the same seed gives the same ones on every machine. Not for secrets. */
export interface SeededRandom {
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the list's elements. */
  pick<Element>(list: readonly Element[]): Element;
}

/** Creates the source of a seed; another seed gives unrelated numbers. */
export function createSeededRandom(seed: string): SeededRandom {
  const next = mulberry32(fnv1a(seed));
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick(list) {
      const element = list[integer(0, list.length - 1)];
      if (element === undefined) {
        throw new RangeError('Cannot pick from an empty list');
      }
      return element;
    },
  };
}

/** The 32-bit FNV-1a hash of a text's UTF-16 units. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** Tommy Ettinger's Mulberry32: 32 bits of state, numbers in [0, 1). */
export function mulberry32(state: number): () => number {
  let counter = state;
  return () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 15), counter | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
