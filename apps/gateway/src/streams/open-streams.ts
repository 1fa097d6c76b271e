import type { StopSignal } from '@meridian/cancellation';

import { requestError } from '../errors/request-error.ts';
import type { StreamMetrics } from '../telemetry/stream-metrics.ts';
import type { StreamEnd } from '../telemetry/request-notes.ts';
import type { Graph } from '../graph/graph.ts';
import type { ClientStream } from './client-stream.ts';

/** The limits of subscriptions in a process. Default: unlimited. */
export interface StreamLimits {
  /** The longest time for which one stays open. */
  readonly maxLifetimeMs: number | undefined;
  /** The most that are open. */
  readonly max: number | undefined;
  readonly maxPerTenant: number | undefined;
}

/** The place of a subscription among those that are open. */
export interface StreamPlace {
  /** Gives it back, once. */
  readonly release: (reason: StreamEnd) => void;
}

/** Lets an open subscription go on with a new graph; rejects where that plans its operation in another way, or rejects it. */
export type MoveStream = (graph: Graph) => Promise<void>;

/** The interval between heartbeats of a stream without events, in milliseconds. Router's. */
const heartbeatMs = 5000;
const checkEveryMs = 1000;
/** Anonymous callers share as one tenant does. */
const anonymous = '';

/** The open subscriptions of a process: they outlive graphs and configurations. */
export class OpenStreams {
  readonly #streams = new Map<ClientStream, MoveStream>();
  readonly #ofTenants = new Map<string, number>();
  readonly #metrics: StreamMetrics;
  readonly #timer: NodeJS.Timeout;
  #count = 0;

  /** @param stopping ends all streams in order, so that clients come again, to another process */
  constructor(metrics: StreamMetrics, stopping: StopSignal | undefined) {
    this.#metrics = metrics;
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
    stopping?.addEventListener('abort', () => this.endAll('server_shutdown'));
  }

  /**
   * Takes a place for a subscription that is about to open.
   *
   * @throws {RequestError} SUBSCRIPTION_MAX_LIMIT
   */
  takePlace(tenantId: string = anonymous, { max, maxPerTenant }: StreamLimits): StreamPlace {
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
    return {
      release: (reason) => {
        const left = (this.#ofTenants.get(tenantId) ?? 1) - 1;
        if (left === 0) {
          this.#ofTenants.delete(tenantId);
        } else {
          this.#ofTenants.set(tenantId, left);
        }
        this.#count -= 1;
        this.#metrics.onEnded(reason);
      },
    };
  }

  add(stream: ClientStream, move: MoveStream): void {
    this.#streams.set(stream, move);
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

  /** Moves the streams to a new graph, and ends those that cannot go on there. */
  async moveTo(graph: Graph): Promise<void> {
    await Promise.all(
      Array.from(this.#streams, ([stream, move]) => move(graph).catch(() => stream.end('schema_reload'))),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    this.endAll('server_shutdown');
  }

  #check(): void {
    const nowMs = performance.now();
    for (const stream of this.#streams.keys()) {
      stream.check(nowMs, heartbeatMs);
    }
  }
}
