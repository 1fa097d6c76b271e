/** A cache of texts that outlives a planner. It may lose any of them, and return what others have written. */
export interface PlanStore {
  /** Rejects, in bounded time, while the store does not work. */
  find(key: string): Promise<string | undefined>;
  /** Keeps a text, in the background, unless that fails. */
  keep(key: string, text: string): void;
}
