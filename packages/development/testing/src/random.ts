import process from 'node:process';

import { fnv1a, mulberry32 } from '@meridian/demo-data';

/** Numbers that a seed decides. */
export interface Random {
  /** From 0, below the bound. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Each item with this probability, and at least one where there is any. */
  some<Item>(items: readonly Item[], probability: number): readonly Item[];
}

/** Creates numbers from a seed: the same for the same seed, on every machine. */
export function createRandom(seed: string): Random {
  const next = mulberry32(hashOf(seed));
  const random: Random = {
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    pick(items) {
      if (items.length === 0) {
        throw new Error('There is nothing to pick from');
      }
      const index = random.below(items.length);
      return items.slice(index, index + 1).reduce((only) => only);
    },
    some(items, probability) {
      const chosen = items.filter(() => random.chance(probability));
      return chosen.length === 0 && items.length > 0 ? [random.pick(items)] : chosen;
    },
  };
  return random;
}

/** FNV-1a with a final mix: 32 bits that any change of the text changes. */
export function hashOf(text: string): number {
  let hash = fnv1a(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One in so many generated cases is run. */
const step = process.env['CI'] === 'true' ? 1 : 4;

/** The number of generated cases of a test: all in CI, the first quarter elsewhere. */
export function caseCount(all: number): number {
  return Math.ceil(all / step);
}

/** The cases of a test that are not equally hard: all in CI, each fourth elsewhere. */
export function casesOf<Case>(all: Iterable<Case>): readonly Case[] {
  return [...all].filter((_case, index) => index % step === 0);
}
