/** The parts of a response that a cache had and had not: its entities, or its root fields as one. */
export interface StoredParts {
  readonly hits: number;
  readonly misses: number;
}
