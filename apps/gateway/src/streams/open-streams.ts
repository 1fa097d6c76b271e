import type { StopSignal } from '@meridian/cancellation';

import { requestError } from '../errors/request-error.ts';
import type { StreamMetrics } from '../telemetry/stream-metrics.ts';
import type { StreamEnd } from '../telemetry/request-notes.ts';
import type { ClientStream } from './client-stream.ts';

/** The limits of subscriptions in a process. Default: unlimited. */
export interface StreamLimits {
  /** The longest time for which one stays open. */
  readonly maxLifetimeMs: number | undefined;
  /** The most that are open. */
  readonly max: number | undefined;
  readonly maxPerTenant: number | undefined;
}

/**
 * Lets an open subscription go on with the current graph of its configuration; rejects where that plans its operation in
 * another way, or rejects it.
 */
export type MoveStream = () => Promise<void>;

/** The interval between heartbeats of a stream without events, in milliseconds. Router's. */
const heartbeatMs = 5000;
const checkEveryMs = 1000;
/** The streams that are moved at a time: each may have an operation of its own to plan, and requests have, too. */
const movedAtOnce = 16;
/** Anonymous callers share as one tenant does. */
const anonymous = '';

/** The open subscriptions of a process: they outlive graphs and configurations. */
export class OpenStreams {
  readonly #streams = new Map<ClientStream, MoveStream>();
  readonly #ofTenants = new Map<string, number>();
  readonly #metrics: StreamMetrics;
  readonly #timer: NodeJS.Timeout;
  #count = 0;
  #isClosed = false;

  /** @param stopping ends all streams in order, so that clients come again, to another process */
  constructor(metrics: StreamMetrics, stopping: StopSignal | undefined) {
    this.#metrics = metrics;
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
    stopping?.addEventListener('abort', () => this.#shutDown());
  }

  /**
   * Takes a place for a subscription that is about to open. The returned function gives it back, once.
   *
   * @throws {RequestError} SUBSCRIPTION_MAX_LIMIT
   */
  takePlace(tenantId: string = anonymous, { max, maxPerTenant }: StreamLimits): (reason: StreamEnd) => void {
    const ofTenant = this.#ofTenants.get(tenantId) ?? 0;
    if (
      this.#count >= (max ?? Number.POSITIVE_INFINITY) ||
      ofTenant >= (maxPerTenant ?? Number.POSITIVE_INFINITY)
    ) {
      this.#metrics.countRejected();
      throw requestError('SUBSCRIPTION_MAX_LIMIT', 'Too many subscriptions are open: try again later', {
        headers: { 'Retry-After': '5' },
      });
    }
    this.#count += 1;
    this.#ofTenants.set(tenantId, ofTenant + 1);
    this.#metrics.onOpened();
    return (reason) => {
      const left = (this.#ofTenants.get(tenantId) ?? 1) - 1;
      if (left === 0) {
        this.#ofTenants.delete(tenantId);
      } else {
        this.#ofTenants.set(tenantId, left);
      }
      this.#count -= 1;
      this.#metrics.onEnded(reason);
    };
  }

  /** Adds an open one, which catches up with the reloads since it began to open. */
  add(stream: ClientStream, move: MoveStream): void {
    this.#streams.set(stream, move);
    if (this.#isClosed) {
      stream.end('server_shutdown');
    } else {
      void moveOrEnd(stream, move);
    }
  }

  delete(stream: ClientStream): void {
    this.#streams.delete(stream);
  }

  /** Ends all streams. */
  endAll(reason: StreamEnd): void {
    for (const stream of this.#streams.keys()) {
      stream.end(reason);
    }
  }

  /** Moves the streams to the current graph, and ends those that cannot go on there. */
  async moveAll(): Promise<void> {
    const left = this.#streams.entries();
    const moveNext = async (): Promise<void> => {
      for (const [stream, move] of left) {
        await moveOrEnd(stream, move);
      }
    };
    await Promise.all(Array.from({ length: movedAtOnce }, moveNext));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#shutDown();
  }

  #shutDown(): void {
    this.#isClosed = true;
    this.endAll('server_shutdown');
  }

  #check(): void {
    const nowMs = performance.now();
    for (const stream of this.#streams.keys()) {
      stream.check(nowMs, heartbeatMs);
    }
  }
}

async function moveOrEnd(stream: ClientStream, move: MoveStream): Promise<void> {
  try {
    await move();
  } catch {
    stream.end('schema_reload');
  }
}
