import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '@meridian/telemetry';
import { Client } from 'pg';

export interface NotificationOptions {
  /** `postgresql://…`, with the service's role. */
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly channel: string;
  /** True for a URL that is known to lead to one session, though through a pooler. Default: false. */
  readonly isSession?: boolean;
  readonly logger: Pick<Logger, 'warn'>;
  readonly onText: (text: string) => void;
  /** Called when notifications come from now on, so that earlier ones may have been missed. */
  readonly onStart: () => void;
}

/** A connection that listens for notifications, and is replaced when it is lost. */
export interface NotificationListener {
  /** True while notifications come. */
  readonly isActive: boolean;
  close(): void;
}

const connectTimeoutMs = 10_000;
/** A connection that is silent for longer than two of these is dead: its own heartbeats come back as notifications. */
const heartbeatMs = 10_000;
const heartbeat = 'heartbeat ';
/** Doubled after each failure, up to the maximum. */
const firstRetryMs = 100;
const maxRetryMs = 5000;
/** The time until the next attempt where a pooler is in between. */
const pooledRetryMs = 300_000;

/**
 * Listens for PostgreSQL's notifications on one channel (`LISTEN`), on a connection of its own. It keeps no process
 * alive. A pooler that gives each transaction another session, such as PgBouncer by default, cannot carry
 * notifications: behind one, nothing is listened for, and the log says so.
 */
export function listenForNotifications(options: NotificationOptions): NotificationListener {
  const { logger } = options;
  const closed = new AbortController();
  let isListening = false;
  let failures = 0;

  const listen = async (): Promise<void> => {
    const session = new ListeningSession(options);
    closed.signal.addEventListener('abort', session.end);
    try {
      await session.start();
      isListening = true;
      failures = 0;
      options.onStart();
      await session.ended;
    } finally {
      isListening = false;
      closed.signal.removeEventListener('abort', session.end);
      session.end();
    }
  };
  const listenAgain = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      let retryMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
      try {
        await listen();
      } catch (error) {
        if (failures === 0 && !closed.signal.aborted) {
          logger.warn({ err: error }, 'no notifications of PostgreSQL for now');
        }
        if (error instanceof PooledConnection) {
          retryMs = pooledRetryMs;
        }
        failures += 1;
      }
      await delay(retryMs, undefined, { ref: false, signal: closed.signal }).catch(() => undefined);
    }
  };
  void listenAgain();
  return {
    get isActive() {
      return isListening;
    },
    close: () => closed.abort(),
  };
}

class PooledConnection extends Error {
  override readonly name = 'PooledConnection';

  constructor() {
    super('a pooler is between this process and PostgreSQL; DATABASE_LISTEN_URL names a way around it');
  }
}

/** One connection, from its start to its end. */
class ListeningSession {
  readonly #socket = new Socket();
  readonly #client: Client;
  readonly #options: NotificationOptions;
  readonly #heartbeat = `${heartbeat}${randomUUID()}`;
  readonly ended: Promise<void>;
  #hasHeartbeat = true;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NotificationOptions) {
    this.#options = options;
    this.#socket.unref();
    this.#client = new Client({
      connectionString: options.url,
      application_name: options.applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      stream: () => this.#socket,
    });
    // A lost connection also ends it.
    this.#client.on('error', () => undefined);
    this.ended = new Promise((resolve) => this.#client.once('end', resolve));
  }

  readonly end = (): void => {
    clearInterval(this.#timer);
    this.#socket.destroy();
  };

  /** Resolves when notifications come. */
  async start(): Promise<void> {
    const client = this.#client;
    const { channel, onText, isSession = false } = this.#options;
    await client.connect();
    if (!isSession && !(await isDirect(client))) {
      throw new PooledConnection();
    }
    client.on('notification', ({ payload = '' }) => {
      if (payload === this.#heartbeat) {
        this.#hasHeartbeat = true;
      } else if (!payload.startsWith(heartbeat)) {
        onText(payload);
      }
    });
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    this.#timer = setInterval(() => {
      if (!this.#hasHeartbeat) {
        this.end();
        return;
      }
      this.#hasHeartbeat = false;
      // A failure ends the connection, or is noticed above.
      client.query('select pg_notify($1, $2)', [channel, this.#heartbeat]).catch(() => undefined);
    }, heartbeatMs).unref();
  }
}

/** True without a pooler in between, which makes up its own number of the backend. */
async function isDirect(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return 'processID' in client && client.processID === rows[0]?.pid;
}
