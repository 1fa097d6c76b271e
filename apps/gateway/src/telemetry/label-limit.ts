/**
 * True when a string may be a label value: a limited number may, first come, first served, for the life of the
 * process.
 */
export type LabelLimit = (text: string) => boolean;

/** Limits the values of a label that clients choose: each costs memory, and every scrape contains all of them. */
export function createLabelLimit(maxValues: number): LabelLimit {
  const admitted = new Set<string>();
  return (text) => {
    if (admitted.size < maxValues) {
      admitted.add(text);
    }
    return admitted.has(text);
  };
}
