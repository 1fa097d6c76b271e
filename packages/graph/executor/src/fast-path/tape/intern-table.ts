import { randomInt } from 'node:crypto';

import { bailOut } from './fast-path-bailout.ts';

/** In words: hash, raised scope, start, length, value. An entry from before the last clearing is free. */
const entryWords = 5;
const initialEntries = 2 ** 8;
/** A table with this many times more entries than texts is too large. */
const sparseness = 16;
/** A random seed for each process: texts that collide in one process do not in another. */
const seed = randomInt(2 ** 31);
/**
 * A chain of this length is not an accident: an attacker can craft colliding texts. The slow path, which has other
 * tables, takes over.
 */
const maxProbes = 64;
/** Scopes are raised up to here: they are 32-bit integers. */
const maxScope = 2 ** 30;

/** Finds equal texts of a tape, and numbers them, in independent scopes. */
export class InternTable {
  #words = new Int32Array(initialEntries * entryWords);
  #capacity = initialEntries;
  #count = 0;
  /** Added to each scope: the highest one before the last clearing, so that its entries need not be overwritten. */
  #cleared = 0;
  #latest = 0;

  /** The memory that it holds, in bytes. */
  get size(): number {
    return this.#words.byteLength;
  }

  /** Forgets all texts. A table that is too large for its recent uses shrinks. */
  clear(): void {
    if (this.#count === 0) {
      return;
    }
    if (this.#capacity > initialEntries && this.#count * sparseness < this.#capacity) {
      this.#capacity /= 2;
      this.#words = new Int32Array(this.#capacity * entryWords);
    }
    if (this.#latest > maxScope) {
      this.#words.fill(0);
      this.#latest = 0;
    }
    this.#cleared = this.#latest;
    this.#count = 0;
  }

  /**
   * The entry of a text, created if there is none. Valid until the next call.
   *
   * @param scope from 1
   */
  entryOf(view: DataView, scope: number, start: number, end: number): number {
    if (this.#count * 2 >= this.#capacity) {
      this.#grow();
    }
    const hash = hashOf(view, mixed(seed, scope), start, end);
    const length = end - start;
    const words = this.#words;
    const cleared = this.#cleared;
    const raised = cleared + scope;
    const mask = this.#capacity - 1;
    let index = hash & mask;
    // Each step is longer by one than the previous one (triangular probing), which reaches every entry and avoids
    // clusters.
    for (let step = 1; step <= maxProbes; step += 1) {
      const entry = index * entryWords;
      const found = words[entry + 1] ?? 0;
      if (found <= cleared) {
        words[entry] = hash;
        words[entry + 1] = raised;
        words[entry + 2] = start;
        words[entry + 3] = length;
        words[entry + 4] = 0;
        this.#count += 1;
        this.#latest = Math.max(this.#latest, raised);
        return entry;
      }
      const isLikely = words[entry] === hash && found === raised && words[entry + 3] === length;
      if (isLikely && isEqual(view, words[entry + 2] ?? 0, start, length)) {
        return entry;
      }
      index = (index + step) & mask;
    }
    return bailOut();
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
      if ((known[from + 1] ?? 0) > this.#cleared) {
        let index = (known[from] ?? 0) & mask;
        for (let step = 1; this.#words[index * entryWords + 1] !== 0; step += 1) {
          index = (index + step) & mask;
        }
        this.#words.set(known.subarray(from, from + entryWords), index * entryWords);
      }
    }
  }
}

/** Four bytes at a time; the last four may overlap those before. */
function hashOf(view: DataView, from: number, start: number, end: number): number {
  const lastFour = end - 4;
  let hash = from;
  let at = start;
  if (lastFour >= start) {
    for (; at < lastFour; at += 4) {
      hash = mixed(hash, view.getInt32(at, true));
    }
    return mixed(hash, view.getInt32(lastFour, true));
  }
  for (; at < end; at += 1) {
    hash = mixed(hash, view.getUint8(at));
  }
  return hash;
}

/** MurmurHash3's finalizer. */
function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ value, 0x85ebca6b);
  return product ^ (product >>> 13);
}

function isEqual(view: DataView, known: number, start: number, length: number): boolean {
  const lastFour = length - 4;
  let at = 0;
  if (lastFour >= 0) {
    for (; at < lastFour; at += 4) {
      if (view.getInt32(known + at, true) !== view.getInt32(start + at, true)) {
        return false;
      }
    }
    return view.getInt32(known + lastFour, true) === view.getInt32(start + lastFour, true);
  }
  for (; at < length; at += 1) {
    if (view.getUint8(known + at) !== view.getUint8(start + at)) {
      return false;
    }
  }
  return true;
}
