/**
 * True when a string may be the value of a label: the first ones up to a number may, as long as the process
 * lives.
 */
export type LabelLimit = (text: string) => boolean;

/** Bounds the values of a label that clients decide: each costs memory, and every scrape has all of them. */
export function createLabelLimit(maxValues: number): LabelLimit {
  const admitted = new Set<string>();
  return (text) => {
    if (admitted.size < maxValues) {
      admitted.add(text);
    }
    return admitted.has(text);
  };
}
