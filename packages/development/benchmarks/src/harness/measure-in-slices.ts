import type { LoadResult } from './clients.ts';

/** Something whose CPU time is measured: a process, or several, that handle requests. */
export interface Contender {
  readonly name: string;
  /** The CPU seconds of its processes so far. */
  readonly cpuSeconds: () => number;
  /** Called once, before the first turn. */
  readonly warmUp: () => Promise<unknown>;
  /** Handles some hundred requests. */
  readonly runSlice: () => Promise<Pick<LoadResult, 'requests' | 'latenciesMs'>>;
  /** Called once, after the last turn, or after a failure. */
  readonly close: () => Promise<void>;
}

export interface SliceOptions {
  readonly turns: number;
  /** The CPU seconds so far of what all contenders use, such as a database. */
  readonly sharedCpuSeconds?: () => number;
  /** Called with progress lines. */
  readonly note: (line: string) => void;
}

/** One slice of one contender. */
export interface Slice {
  readonly turn: number;
  readonly requests: number;
  /** CPU seconds of the contender. */
  readonly own: number;
  /** CPU seconds of what all contenders use. */
  readonly shared: number;
  readonly latenciesMs: readonly number[];
}

/**
 * Measures contenders in turn, in short slices, in another order in each turn. A machine whose speed drifts is about
 * equally fast for all slices of one turn, so the ratios of a turn say more than ratios of long rounds.
 */
export async function measureInSlices(
  contenders: readonly Contender[],
  { turns, sharedCpuSeconds = () => 0, note }: SliceOptions,
): Promise<ReadonlyMap<string, readonly Slice[]>> {
  const slices = new Map<string, Slice[]>(contenders.map(({ name }) => [name, []]));
  try {
    for (const { name, warmUp } of contenders) {
      note(`warming up: ${name}`);
      await warmUp();
    }
    note(`${turns} turns`);
    for (let turn = 1; turn <= turns; turn += 1) {
      for (const { name, cpuSeconds, runSlice } of shuffled(contenders)) {
        const [ownBefore, sharedBefore] = [cpuSeconds(), sharedCpuSeconds()];
        const { requests, latenciesMs } = await runSlice();
        const own = cpuSeconds() - ownBefore;
        const shared = sharedCpuSeconds() - sharedBefore;
        slices.get(name)?.push({ turn, requests, own, shared, latenciesMs });
      }
    }
  } finally {
    await Promise.all(contenders.map(({ close }) => close()));
  }
  return slices;
}

/** The same in a random order: who comes when, and behind whom, then falls on all alike. */
export function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
