import type { Tally } from '../load/tally.ts';
import type { Held, WatchedGateway } from './gateway-watch.ts';
import { heldBy } from './gateway-watch.ts';

/** The figures of a run from the previous sample to this one. */
export interface Sample {
  readonly atSeconds: number;
  readonly responsesPerSecond: number;
  /** Undefined without any response. */
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
  /** Undefined while the gateway was away. */
  readonly held: Held | undefined;
}

/** Takes samples of a run. */
export class Sampler {
  /** In order. */
  readonly samples: Sample[] = [];
  readonly #gateway: WatchedGateway;
  readonly #tally: Tally;
  readonly #startedMs: number;
  #lastMs: number;

  /** `startedMs`: the start of the run, by `performance.now()`. */
  constructor(gateway: WatchedGateway, tally: Tally, startedMs: number) {
    this.#gateway = gateway;
    this.#tally = tally;
    this.#startedMs = startedMs;
    this.#lastMs = startedMs;
  }

  /** Takes a sample of the time since the previous one. */
  async take(): Promise<Sample> {
    const held = await heldBy(this.#gateway);
    const nowMs = performance.now();
    const sorted = this.#tally.takeLatencies().toSorted((one, other) => one - other);
    const sample = {
      atSeconds: (nowMs - this.#startedMs) / 1000,
      responsesPerSecond: (sorted.length * 1000) / (nowMs - this.#lastMs),
      p50Ms: sorted[Math.floor(sorted.length * 0.5)],
      p99Ms: sorted[Math.floor(sorted.length * 0.99)],
      held,
    };
    this.#lastMs = nowMs;
    this.samples.push(sample);
    return sample;
  }
}

/** A sample as a line of the report. */
export function describeSample({ atSeconds, responsesPerSecond, p50Ms, p99Ms, held }: Sample): string {
  return [
    `${atSeconds.toFixed(0)} s`.padStart(7),
    `${responsesPerSecond.toFixed(0)} responses/s`.padEnd(14),
    `p50 ${inMs(p50Ms)}`.padEnd(11),
    `p99 ${inMs(p99Ms)}`.padEnd(13),
    held === undefined
      ? 'no gateway'
      : `heap ${held.heapMiB.toFixed(1)} MiB  rss ${held.rssMiB.toFixed(0)} MiB  ${held.sockets} sockets`,
  ].join('  ');
}

function inMs(value: number | undefined): string {
  return value === undefined ? '–' : `${value.toFixed(0)} ms`;
}
