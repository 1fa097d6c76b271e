import { problem } from '@meridian/problem-details';

import type { TrafficLimits } from '../config/traffic-limits.ts';

/** Counts the requests that a gateway cannot serve, as Apollo Router's `health_check.readiness` does. */
export class Rejections {
  readonly #limits: NonNullable<TrafficLimits['readiness']>;
  readonly #now: () => number;
  #count = 0;
  #intervalEndsMs = 0;
  #readyAgainMs = 0;

  /** @param now in milliseconds, from any time on */
  constructor(limits: NonNullable<TrafficLimits['readiness']>, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @param status of a response */
  count(status: number): void {
    if (status !== 503 && status !== 504) {
      return;
    }
    const { allowed, samplingMs, unreadyMs } = this.#limits;
    const nowMs = this.#now();
    if (nowMs < this.#readyAgainMs) {
      return;
    }
    if (nowMs >= this.#intervalEndsMs) {
      this.#intervalEndsMs = nowMs + samplingMs;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count > allowed) {
      this.#readyAgainMs = nowMs + unreadyMs;
      this.#intervalEndsMs = 0;
    }
  }

  /** False for a time after too many rejections. */
  get isReady(): boolean {
    return this.#now() >= this.#readyAgainMs;
  }

  /** @throws {Problem} `unavailable` while it is not ready */
  checkReady(): void {
    if (!this.isReady) {
      throw problem('unavailable', 'The gateway has rejected too many requests.');
    }
  }
}
