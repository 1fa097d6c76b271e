import type { Connect, Exchange } from './connection.ts';
import { Connection } from './connection.ts';

export interface ConnectionPoolOptions {
  readonly connect: Connect;
  readonly maxConnections: number;
}

/** The interval between checks of idle connections, in milliseconds. */
const sweepEveryMs = 5000;

/** The connections to one origin. */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #connections = new Set<Connection>();
  /** The most recently used one is at the end, and is used next. */
  #idle: Connection[] = [];
  /** In order; a Set, because any of them may be cancelled. */
  readonly #waiting = new Set<Exchange>();
  #sweep: NodeJS.Timeout | undefined;
  /** Set once the pool is closing. */
  #onEmpty: (() => void) | undefined;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  /** Sends a request, now or once a connection is free. */
  send(exchange: Exchange, nowMs = performance.now()): void {
    const connection = this.#freeConnection(nowMs);
    if (connection === undefined) {
      this.#waiting.add(exchange);
    } else {
      connection.send(exchange);
    }
  }

  /**
   * Sends a request on a new connection, now or once there is a place for one. A connection that becomes free first
   * does as well: it has just responded.
   */
  sendOnNew(exchange: Exchange): void {
    if (this.#connections.size < this.#options.maxConnections) {
      this.#open().send(exchange);
    } else {
      this.#waiting.add(exchange);
    }
  }

  /** Stops a request that has no response yet. */
  cancel(exchange: Exchange): void {
    if (!this.#waiting.delete(exchange)) {
      exchange.connection?.destroy();
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

  #freeConnection(nowMs: number): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.isStale(nowMs)) {
        return idle;
      }
      idle.destroy();
    }
    return this.#connections.size < this.#options.maxConnections ? this.#open() : undefined;
  }

  #open(): Connection {
    const connection = new Connection({
      connect: this.#options.connect,
      onIdle: () => this.#onIdle(connection),
      onClosed: (isLost) => this.#onClosed(connection, isLost),
    });
    this.#connections.add(connection);
    return connection;
  }

  #onIdle(connection: Connection): void {
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      connection.send(next);
      return;
    }
    if (this.#onEmpty !== undefined) {
      connection.destroy();
      return;
    }
    this.#idle.push(connection);
    this.#sweep ??= setTimeout(() => this.#sweepIdle(), sweepEveryMs).unref();
  }

  /**
   * A restarted load balancer, or a moved subgraph, loses all its connections at once, and this side notices on the next
   * use of each. So the loss of one ends the idle ones that have not responded since it last did.
   */
  #onClosed(connection: Connection, isLost: boolean): void {
    this.#connections.delete(connection);
    this.#dropIdle((idle) => idle === connection || (isLost && idle.isAsOldAs(connection)));
    const [next] = this.#waiting;
    if (next !== undefined) {
      this.#waiting.delete(next);
      this.send(next);
    }
    this.#checkEmpty();
  }

  #sweepIdle(): void {
    const nowMs = performance.now();
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
