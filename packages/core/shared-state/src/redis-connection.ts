import type { SecureContextOptions } from 'node:tls';

import type { Logger } from '@meridian/telemetry';
import type { RedisClientType } from '@redis/client';

import { RedisUnavailable } from './redis-unavailable.ts';

export interface RedisConnectionOptions {
  /** `redis://…` or `rediss://…`. It may hold credentials, so it is never logged. */
  readonly url: string;
  /** Take precedence over those in the URL. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** In PEM, for TLS, which is used then whatever the URL says. Default: for `rediss`, what Node trusts. */
  readonly certificates?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** The longest time for a response, in milliseconds. Default: 200. */
  readonly timeoutMs?: number;
}

/** One connection to Redis or Valkey, which may be lost and come back at any time. */
export interface RedisConnection {
  readonly client: RedisClientType;
  /**
   * Redis's response to a call.
   *
   * @param timeoutMs default: the connection's
   * @throws {RedisUnavailable} at once while there is no connection, else after the timeout, or when the
   *   response is an error
   */
  ask<Result>(call: (client: RedisClientType) => Promise<Result>, timeoutMs?: number): Promise<Result>;
  /** True once there is a connection, false when there is none after the timeout. */
  isConnected(): Promise<boolean>;
  /** Subscribes to a channel, on a connection of its own, in the background. */
  subscribe(channel: string, subscription: RedisSubscriptionOptions): RedisSubscription;
  /** Ends its subscriptions too. */
  close(): void;
}

export interface RedisSubscriptionOptions {
  readonly onText: (text: string) => void;
  /** Called when messages come from now on, so that earlier ones may have been missed. */
  readonly onStart: () => void;
}

export interface RedisSubscription {
  /** True while messages come. */
  readonly isActive: boolean;
  close(): void;
}

/** A connection without data for this long counts as dead; pings keep a live one busy. */
const silenceMs = 10_000;
const pingEveryMs = 2000;
const maxReconnectDelayMs = 1000;
/** The least time between lines of the log about calls that a Redis rejects, such as one that is full. */
const rejectionEveryMs = 60_000;

/**
 * Connects to Redis in the background: without a connection, calls fail at once. A hanging Redis costs one
 * timeout, not one for every request: after the first late response, no calls are sent until a probe
 * succeeds. The client is loaded here, so that a process without Redis starts without it.
 */
export async function connectRedis({
  url,
  username,
  password,
  certificates,
  logger,
  timeoutMs = 200,
}: RedisConnectionOptions): Promise<RedisConnection> {
  const { ErrorReply, createClient } = await import('@redis/client');
  const client: RedisClientType = createClient({
    url: certificates === undefined ? url : url.replace(/^redis:/u, 'rediss:'),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    disableOfflineQueue: true,
    pingInterval: pingEveryMs,
    socket: {
      ...(certificates !== undefined && { ...certificates, tls: true }),
      connectTimeout: 2000,
      socketTimeout: silenceMs,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** Math.min(retries, 10), maxReconnectDelayMs),
    },
  });
  let isSuspended = false;
  let known: 'nothing yet' | 'works' | 'fails' = 'nothing yet';
  let isClosed = false;
  const fails = (error: unknown): void => {
    if (known !== 'fails' && !isClosed) {
      known = 'fails';
      logger.warn({ err: error }, 'Redis does not respond; each process continues with its local share');
    }
  };
  let rejectedMs = Number.NEGATIVE_INFINITY;
  const rejects = (error: unknown): void => {
    const nowMs = performance.now();
    if (nowMs - rejectedMs >= rejectionEveryMs) {
      rejectedMs = nowMs;
      logger.warn({ err: error }, 'Redis rejects a call; each process continues with its local share');
    }
  };
  const works = (): void => {
    isSuspended = false;
    if (known !== 'works') {
      logger.info(known === 'fails' ? 'Redis responds again' : 'Redis responds');
      known = 'works';
    }
  };
  /** Redis replies in order: the reply to this command means that all earlier ones were processed. */
  const probe = async (): Promise<void> => {
    try {
      await client.ping();
      works();
    } catch {
      // The connection is lost; the next one emits `ready`.
    }
  };
  client.on('error', fails);
  const ready = Promise.withResolvers<true>();
  client.on('ready', () => {
    works();
    ready.resolve(true);
  });
  client.connect().catch(fails);

  const subscriptions = new Set<RedisSubscription>();
  const subscribe: RedisConnection['subscribe'] = (channel, { onText, onStart }) => {
    const subscriber = client.duplicate({ disableOfflineQueue: false });
    let isSubscribed = false;
    // The connection of the calls reports what is wrong.
    subscriber.on('error', () => {
      isSubscribed = false;
    });
    const start = (): void => {
      isSubscribed = true;
      onStart();
    };
    const begin = async (): Promise<void> => {
      await subscriber.connect();
      await subscriber.subscribe(channel, onText);
      start();
      // From then on, the client subscribes again by itself.
      subscriber.on('ready', start);
    };
    begin().catch(() => undefined);
    const subscription: RedisSubscription = {
      get isActive() {
        return isSubscribed && subscriber.isReady;
      },
      close() {
        subscriptions.delete(subscription);
        subscriber.destroy();
      },
    };
    subscriptions.add(subscription);
    return subscription;
  };

  return {
    client,
    async ask(call, callTimeoutMs = timeoutMs) {
      if (isSuspended || !client.isReady) {
        throw new RedisUnavailable();
      }
      try {
        return await within(callTimeoutMs, call(client));
      } catch (error) {
        (error instanceof ErrorReply ? rejects : fails)(error);
        if (error instanceof ResponseTimeout) {
          isSuspended = true;
          void probe();
        }
        throw new RedisUnavailable({ cause: error });
      }
    },
    isConnected: () => within(timeoutMs, ready.promise).catch(() => false),
    subscribe,
    close() {
      isClosed = true;
      for (const subscription of subscriptions) {
        subscription.close();
      }
      client.destroy();
    },
  };
}

class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout';

  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs} ms`);
  }
}

async function within<Result>(timeoutMs: number, response: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ResponseTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([response, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
