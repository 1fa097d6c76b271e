import type { Tally } from '../load/tally.ts';
import type { WatchedGateway } from './gateway-watch.ts';
import { heldBy } from './gateway-watch.ts';
import type { Sample } from './sample.ts';
import { sampleOf } from './sample.ts';

export interface Sampler {
  /** Takes a sample of the time since the previous one. */
  take(): Promise<Sample>;
  /** In order. */
  readonly samples: readonly Sample[];
}

/** @param startedMs the start of the run, by `performance.now()` */
export function openSampler(gateway: WatchedGateway, tally: Tally, startedMs: number): Sampler {
  const samples: Sample[] = [];
  let lastMs = startedMs;
  return {
    samples,
    async take() {
      const held = await heldBy(gateway);
      const nowMs = performance.now();
      const sample = sampleOf(tally.takeInterval(), {
        atSeconds: (nowMs - startedMs) / 1000,
        seconds: (nowMs - lastMs) / 1000,
        held,
      });
      lastMs = nowMs;
      samples.push(sample);
      return sample;
    },
  };
}
