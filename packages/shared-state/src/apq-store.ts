import type { RedisConnection } from './redis-connection.ts';

export interface ApqStoreOptions {
  readonly redis: RedisConnection;
  /** Processes that give the same name share the texts. */
  readonly name: string;
  /** The time that an unused text is kept. */
  readonly ttlSeconds: number;
}

/** Texts that processes share through Redis, for as long as it keeps them: a cache, not a store. */
export interface ApqStore {
  /** Undefined also while Redis does not answer. */
  find(key: string): Promise<string | undefined>;
  keep(key: string, text: string): void;
}

export function createApqStore({ redis, name, ttlSeconds }: ApqStoreOptions): ApqStore {
  const keyOf = (key: string): string => `meridian:${name}:${key}`;
  return {
    async find(key) {
      try {
        const text = await redis.ask((client) => client.getEx(keyOf(key), { type: 'EX', value: ttlSeconds }));
        return text ?? undefined;
      } catch {
        return undefined;
      }
    },
    keep(key, text) {
      redis
        .ask((client) => client.set(keyOf(key), text, { expiration: { type: 'EX', value: ttlSeconds } }))
        .catch(() => {
          // The log reported it when Redis went away; a client that needs the text sends it again.
        });
    },
  };
}
