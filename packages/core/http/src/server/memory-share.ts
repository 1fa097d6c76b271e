import { getHeapStatistics } from 'node:v8';

/**
 * A part of the heap's limit, in bytes. Node derives the limit from the memory of the machine or container, and
 * `--max-old-space-size` sets it: it says for how much memory the process was made.
 */
export function memoryShare(share: number): number {
  return Math.floor(getHeapStatistics().heap_size_limit * share);
}
