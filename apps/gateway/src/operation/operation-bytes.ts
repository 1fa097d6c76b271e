import type { DocumentNode } from 'graphql';

/** Measured without its location, with the values derived from it. */
const bytesPerNode = 250;
/** In the text and in a node, with two bytes for some characters. */
const bytesPerCharacter = 4;

/** The memory that all operations of a cache may take, and one of them. */
export interface CacheBounds {
  readonly max: number;
  readonly maxSize: number;
}

/** The largest average of an operation. With the maximal number of operations it makes the bound. */
const averageBytes = 131_072;
/** A cache of few operations still keeps a large one. */
const minBytes = 8_388_608;

/** The bounds of a cache of operations, for `LRUCache`. */
export function operationBounds(maxOperations: number): CacheBounds {
  return { max: maxOperations, maxSize: Math.max(maxOperations * averageBytes, minBytes) };
}

/** About how much memory an operation takes while it is kept compiled. */
export function operationBytes(document: DocumentNode, text = ''): number {
  return countNodes(document) * bytesPerNode + text.length * bytesPerCharacter;
}

/** The nodes of a document without locations: each object is one. */
function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  let count = Array.isArray(value) ? 0 : 1;
  for (const member of Object.values(value)) {
    count += countNodes(member);
  }
  return count;
}
