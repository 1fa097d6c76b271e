/** Keeps the values that were used last, up to a number of them. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** From the one that was used last. */
  values(): Value[];
  delete(key: string): void;
  clear(): void;
}

export function createBoundedCache<Value>(maxEntries: number): BoundedCache<Value> {
  // A Map keeps the order of insertion: the first key is the one that was not used for longest.
  const entries = new Map<string, Value>();
  return {
    get(key) {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > maxEntries) {
        const [oldest] = entries.keys();
        entries.delete(oldest ?? key);
      }
    },
    delete: (key) => void entries.delete(key),
    values: () => [...entries.values()].toReversed(),
    clear: () => entries.clear(),
  };
}
