import { randomInt } from 'node:crypto';

import { giveUp } from './mismatch.ts';

/** In words: hash, scope, start, length, value. A scope of 0 is a free entry. */
const entryWords = 5;
const initialEntries = 2 ** 8;
/** Nobody who chooses texts can know which of them have the same hash. */
const seed = randomInt(2 ** 31);
/** So many entries in a row are no accident: the rest is left to plain data, which has other tables. */
const maxProbes = 64;

/** Which texts of a tape are equal: a number for each, in scopes that know nothing of each other. */
export class RangeTable {
  #words = new Int32Array(initialEntries * entryWords);
  #capacity = initialEntries;
  #count = 0;

  clear(): void {
    if (this.#count > 0) {
      this.#words.fill(0);
      this.#count = 0;
    }
  }

  /**
   * The entry of a text, which is made where there is none. Valid until the next is asked for.
   *
   * @param scope from 1
   */
  entryOf(view: DataView, scope: number, start: number, end: number): number {
    if (this.#count * 2 >= this.#capacity) {
      this.#grow();
    }
    const hash = hashOf(view, start, end);
    const length = end - start;
    const words = this.#words;
    const mask = this.#capacity - 1;
    for (let probe = 0; probe < maxProbes; probe += 1) {
      const entry = ((hash + probe) & mask) * entryWords;
      if (words[entry + 1] === 0) {
        words[entry] = hash;
        words[entry + 1] = scope;
        words[entry + 2] = start;
        words[entry + 3] = length;
        words[entry + 4] = 0;
        this.#count += 1;
        return entry;
      }
      const isLikely = words[entry] === hash && words[entry + 1] === scope && words[entry + 3] === length;
      if (isLikely && isEqual(view, words[entry + 2] ?? 0, start, length)) {
        return entry;
      }
    }
    return giveUp();
  }

  /** The number of an entry; 0 for one that has none yet. */
  valueAt(entry: number): number {
    return this.#words[entry + 4] ?? 0;
  }

  setValueAt(entry: number, value: number): void {
    this.#words[entry + 4] = value;
  }

  #grow(): void {
    const known = this.#words;
    this.#capacity *= 2;
    this.#words = new Int32Array(this.#capacity * entryWords);
    const mask = this.#capacity - 1;
    for (let from = 0; from < known.length; from += entryWords) {
      if (known[from + 1] !== 0) {
        let index = (known[from] ?? 0) & mask;
        while (this.#words[index * entryWords + 1] !== 0) {
          index = (index + 1) & mask;
        }
        this.#words.set(known.subarray(from, from + entryWords), index * entryWords);
      }
    }
  }
}

/** Four bytes at a time, and those that are left. */
function hashOf(view: DataView, start: number, end: number): number {
  const lastFour = end - 4;
  let hash = seed;
  let at = start;
  for (; at <= lastFour; at += 4) {
    hash = mixed(hash, view.getInt32(at, true));
  }
  for (; at < end; at += 1) {
    hash = mixed(hash, view.getUint8(at));
  }
  return hash;
}

/** As MurmurHash3 finishes. */
function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x85ebca6b);
  return product ^ (product >>> 13);
}

function isEqual(view: DataView, known: number, start: number, length: number): boolean {
  const lastFour = length - 4;
  let at = 0;
  for (; at <= lastFour; at += 4) {
    if (view.getInt32(known + at, true) !== view.getInt32(start + at, true)) {
      return false;
    }
  }
  for (; at < length; at += 1) {
    if (view.getUint8(known + at) !== view.getUint8(start + at)) {
      return false;
    }
  }
  return true;
}
