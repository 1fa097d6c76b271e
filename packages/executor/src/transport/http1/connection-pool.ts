import type { Connect, Exchange } from './connection.ts';
import { Connection } from './connection.ts';

export interface ConnectionPoolOptions {
  readonly connect: Connect;
  readonly maxConnections: number;
  /** The maximum of requests on one connection. */
  readonly pipelining: number;
}

/** The interval between checks of idle connections, in milliseconds. */
const sweepEveryMs = 5000;

/** The connections to one origin. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #connections = new Set<Connection>();
  /** The one that was used last is at the end, and the next to be used. */
  #idle: Connection[] = [];
  /** In their order; a Set, for any of them may give up. */
  readonly #waiting = new Set<Exchange>();
  #sweep: NodeJS.Timeout | undefined;
  /** Set once the pool is closing. */
  #onEmpty: (() => void) | undefined;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  /** Sends a request, now or once a connection is free. */
  send(exchange: Exchange): void {
    const connection = this.#freeConnection(exchange);
    if (connection === undefined) {
      this.#waiting.add(exchange);
    } else {
      connection.send(exchange);
    }
  }

  /** Stops a request that has no answer yet. */
  cancel(exchange: Exchange): void {
    if (!this.#waiting.delete(exchange)) {
      exchange.connection?.abandon(exchange);
    }
  }

  /** Ends every connection as soon as no request is on it or waits for it. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    this.#dropIdle(() => true);
    this.#checkEmpty();
    await promise;
  }

  #freeConnection({ isRepeatable }: Exchange): Connection | undefined {
    const { maxConnections, pipelining } = this.#options;
    const nowMs = Date.now();
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isFree && !idle.isStale(nowMs)) {
        return idle;
      }
      idle.destroy();
    }
    if (this.#connections.size < maxConnections) {
      return this.#open();
    }
    return pipelining > 1 && isRepeatable ? this.#leastLoaded() : undefined;
  }

  #leastLoaded(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#connections) {
      if (connection.isFree && connection.load < (least?.load ?? Infinity)) {
        least = connection;
      }
    }
    return least;
  }

  #open(): Connection {
    const connection = new Connection({
      connect: this.#options.connect,
      pipelining: this.#options.pipelining,
      onIdle: () => this.#onIdle(connection),
      onClosed: () => this.#onClosed(connection),
    });
    this.#connections.add(connection);
    return connection;
  }

  #onIdle(connection: Connection): void {
    for (const next of this.#waiting) {
      if (!connection.isFree || (connection.load > 0 && !next.isRepeatable)) {
        break;
      }
      this.#waiting.delete(next);
      connection.send(next);
    }
    if (connection.load > 0) {
      return;
    }
    if (this.#onEmpty !== undefined) {
      connection.destroy();
      return;
    }
    this.#idle.push(connection);
    this.#sweep ??= setTimeout(() => this.#sweepIdle(), sweepEveryMs).unref();
  }

  #onClosed(connection: Connection): void {
    this.#connections.delete(connection);
    this.#dropIdle((idle) => idle === connection);
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      this.send(next);
    }
    this.#checkEmpty();
  }

  #sweepIdle(): void {
    const nowMs = Date.now();
    this.#dropIdle((idle) => idle.isStale(nowMs));
    this.#sweep =
      this.#idle.length > 0 ? setTimeout(() => this.#sweepIdle(), sweepEveryMs).unref() : undefined;
  }

  #dropIdle(isDropped: (idle: Connection) => boolean): void {
    const dropped = this.#idle.filter(isDropped);
    if (dropped.length > 0) {
      this.#idle = this.#idle.filter((idle) => !isDropped(idle));
      dropped.forEach((idle) => idle.destroy());
    }
  }

  #checkEmpty(): void {
    if (this.#onEmpty !== undefined && this.#connections.size === 0 && this.#waiting.size === 0) {
      clearTimeout(this.#sweep);
      this.#onEmpty();
    }
  }
}
