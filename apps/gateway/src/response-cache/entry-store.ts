import { crc32 } from 'node:zlib';

import type { RedisConnection } from '@meridian/shared-state';
import { RedisUnavailable } from '@meridian/shared-state';

import type { Scope } from './freshness.ts';

/** A stored response: the data of root fields, or one entity. */
export interface Entry {
  /** As JSON. */
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly expiresMs: number;
  /** Until when clients may reuse it; in the past for never. Milliseconds since the epoch. */
  readonly reusableUntilMs: number;
  readonly scope: Scope;
}

export interface NewEntry extends Entry {
  readonly key: string;
  /** By which it is invalidated, its subgraph apart. */
  readonly tags: readonly string[];
}

export interface LookUp {
  /** For each key; undefined where there is none. */
  readonly entries: readonly (Entry | undefined)[];
  /** The time of the subgraph's latest invalidation. */
  readonly epoch: string;
}

export interface EntryStoreOptions {
  readonly redis: RedisConnection;
  readonly namespace: string;
  readonly subgraph: string;
  /** The longest times of each step, in milliseconds. */
  readonly timeouts: { readonly fetch: number; readonly insert: number; readonly invalidate: number };
}

/** The most entries that one script writes: Redis does nothing else meanwhile. */
const maxEntries = 100;
/** The most entries that one script removes: that takes less time than to write them. */
const maxRemoved = 1000;
/** The longest time of an invalidation, of which each script has its own. The next one goes on where it ended. */
const maxInvalidationMs = 30_000;
/** The time for which an invalidation is remembered: longer than any request to a subgraph. */
const epochMs = 3_600_000;

/**
 * Creates the store of one subgraph's responses. Each tag is a sorted set of keys by the time of their expiry, so that
 * expired ones are trimmed with each write.
 */
export function createEntryStore({ redis, namespace, subgraph, timeouts }: EntryStoreOptions) {
  const prefix = `meridian:${namespace}:${encodeURIComponent(subgraph)}`;
  const epochKey = `${prefix}:epoch`;
  const keyOf = (key: string): string => `${prefix}:entry:${key}`;
  return {
    /** @throws {RedisUnavailable} */
    async find(keys: readonly string[]): Promise<LookUp> {
      const [epoch, ...texts] = await redis.ask(
        (client) => client.mGet([epochKey, ...keys.map(keyOf)]),
        timeouts.fetch,
      );
      const nowMs = Date.now();
      return { epoch: epoch ?? '0', entries: texts.map((text) => readEntry(text, nowMs)) };
    },
    /**
     * Keeps entries, apart from those with a tag that was invalidated since the look-up: they may be older than that.
     *
     * @throws {RedisUnavailable}
     */
    async keep(epoch: string, entries: readonly NewEntry[]): Promise<void> {
      for (let from = 0; from < entries.length; from += maxEntries) {
        const nowMs = Date.now();
        const written: string[] = [];
        for (const entry of entries.slice(from, from + maxEntries)) {
          const { key, text, expiresMs, reusableUntilMs, scope, tags } = entry;
          const ttlMs = Math.max(1, expiresMs - nowMs);
          const head = `${expiresMs} ${reusableUntilMs} ${scope} ${crc32(text)}`;
          written.push(keyOf(key), `${head}\n${text}`, String(ttlMs), String(tags.length + 1));
          written.push(ofAll, ...tags);
        }
        // oxlint-disable-next-line no-await-in-loop -- one after another, so that others get their turn
        await redis.ask(
          (client) =>
            client.eval(keepScript, {
              keys: [epochKey],
              arguments: [epoch, String(nowMs), prefix, ...written],
            }),
          timeouts.insert,
        );
      }
    },
    /**
     * Removes the entries with a tag, or all without one. Returns their number.
     *
     * @throws {RedisUnavailable} also where it takes too long in all
     */
    async invalidate(tag = ofAll): Promise<number> {
      const lastMs = performance.now() + maxInvalidationMs;
      let count = 0;
      while (performance.now() < lastMs) {
        // oxlint-disable-next-line no-await-in-loop -- the next step depends on it
        const removed = await redis.ask(
          (client) =>
            client.eval(invalidateScript, {
              keys: [epochKey, `${prefix}:tag:${tag}`, `${prefix}:at:${tag}`],
            }),
          timeouts.invalidate,
        );
        const [popped = 0, deleted = 0] = Array.isArray(removed) ? removed.map(Number) : [];
        count += deleted;
        if (popped < maxRemoved) {
          return count;
        }
      }
      throw new RedisUnavailable({ cause: new Error(`not over within ${maxInvalidationMs} ms`) });
    },
  };
}

export type EntryStore = ReturnType<typeof createEntryStore>;

/** Undefined for none, for an expired one, for a damaged one, and for other texts. */
function readEntry(stored: string | null | undefined, nowMs: number): Entry | undefined {
  const end = stored?.indexOf('\n') ?? -1;
  if (stored === null || stored === undefined || end === -1) {
    return undefined;
  }
  const [expires, reusableUntil, scope = '', checksum] = stored.slice(0, end).split(' ');
  const expiresMs = Number(expires);
  const text = stored.slice(end + 1);
  return expiresMs > nowMs && isScope(scope) && crc32(text) === Number(checksum)
    ? { text, expiresMs, reusableUntilMs: Number(reusableUntil), scope }
    : undefined;
}

function isScope(text: string): text is Scope {
  return text === 'public' || text === 'caller' || text === 'private';
}

/** The tag of all entries. */
const ofAll = '';

const keepScript = `
  local epoch = tonumber(redis.call('get', KEYS[1]) or '0')
  local seen = tonumber(ARGV[1])
  local now = tonumber(ARGV[2])
  local prefix = ARGV[3]
  local fresh = {}
  local function isFresh(tag)
    if fresh[tag] == nil then
      fresh[tag] = epoch == seen or tonumber(redis.call('get', prefix .. ':at:' .. tag) or '0') <= seen
    end
    return fresh[tag]
  end
  local at = 4
  while at <= #ARGV do
    local key, text, ttl = ARGV[at], ARGV[at + 1], tonumber(ARGV[at + 2])
    local last = at + 3 + tonumber(ARGV[at + 3])
    local kept = true
    for index = at + 4, last do
      kept = isFresh(ARGV[index]) and kept
    end
    if kept then
      redis.call('set', key, text, 'PX', ttl)
      for index = at + 4, last do
        local tag = prefix .. ':tag:' .. ARGV[index]
        redis.call('zadd', tag, now + ttl, key)
        if redis.call('pttl', tag) < ttl then
          redis.call('pexpire', tag, ttl)
        end
      end
    end
    at = last + 1
  end
  for tag in pairs(fresh) do
    redis.call('zremrangebyscore', prefix .. ':tag:' .. tag, '-inf', now)
  end
`;

// A full Redis refuses what needs memory only as the first write of a script.
const invalidateScript = `
  local time = redis.call('time')
  local epoch = string.format('%.0f', tonumber(time[1]) * 1000000 + tonumber(time[2]))
  redis.call('unlink', KEYS[3])
  redis.call('set', KEYS[1], epoch, 'PX', ${epochMs})
  redis.call('set', KEYS[3], epoch, 'PX', ${epochMs / 2})
  local keys = redis.call('zrange', KEYS[2], 0, ${maxRemoved - 1})
  if #keys == 0 then
    return {0, 0}
  end
  redis.call('zremrangebyrank', KEYS[2], 0, #keys - 1)
  return {#keys, redis.call('unlink', unpack(keys))}
`;
