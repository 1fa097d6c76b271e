import type { RedisConnection } from './redis-connection.ts';

export interface ApqStoreOptions {
  readonly redis: RedisConnection;
  /** Processes with the same name share the texts. */
  readonly name: string;
  /** The time that an unused text is kept. */
  readonly ttlSeconds: number;
  /** True when each use begins that time anew. Default: true. */
  readonly resetsTtl?: boolean;
}

/** Texts that processes share through Redis. It is a cache: Redis may drop any of them. */
export interface ApqStore {
  /** Undefined also while Redis does not respond. */
  find(key: string): Promise<string | undefined>;
  keep(key: string, text: string): void;
}

export function createApqStore({ redis, name, ttlSeconds, resetsTtl = true }: ApqStoreOptions): ApqStore {
  const keyOf = (key: string): string => `meridian:${name}:${key}`;
  return {
    async find(key) {
      try {
        const text = await redis.ask((client) =>
          resetsTtl ? client.getEx(keyOf(key), { type: 'EX', value: ttlSeconds }) : client.get(keyOf(key)),
        );
        return text ?? undefined;
      } catch {
        return undefined;
      }
    },
    keep(key, text) {
      redis
        .ask((client) => client.set(keyOf(key), text, { expiration: { type: 'EX', value: ttlSeconds } }))
        .catch(() => {
          // Already logged when Redis stopped responding. A client whose text is missing sends it again.
        });
    },
  };
}
