import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Caller } from '../caller.ts';

/** The callers of tokens verified a short while ago. Contract: Identity. */
export interface TokenCache {
  /**
   * @param holder an object with this token alone, such as the fields of a request. While a frozen one lives, its token
   *   is hashed once
   */
  find(token: string, holder?: object): Caller | undefined;
  /** Keeps a caller for at most 60 s, or another time, not past the token's `exp`, and only while `isKeyPublished`. */
  keep(token: string, caller: Caller, isKeyPublished: () => boolean, ageMs?: number): void;
}

export interface TokenCacheOptions {
  readonly maxEntries: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Entry {
  readonly caller: Caller;
  readonly validUntilMs: number;
  readonly isKeyPublished: () => boolean;
}

const maxAgeMs = 60_000;
/** The most characters of kept claims, as JSON, of all tokens together: 10 000 tokens of 1 600 characters each. */
const maxClaimCharacters = 16_777_216;

/** Creates an empty cache. It is keyed by the tokens' hashes, so that a heap dump holds no credentials. */
export function createTokenCache({ maxEntries, now }: TokenCacheOptions): TokenCache {
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    maxSize: maxEntries + maxClaimCharacters,
    sizeCalculation: ({ caller: { claims } }) =>
      claims === undefined ? 1 : 1 + JSON.stringify([...claims]).length,
  });
  // Only of frozen objects, which many requests share: for others, an entry would cost more than a hash.
  const keys = new WeakMap<object, string>();
  const keyOfHolder = (holder: object, token: string): string => {
    const key = keyOf(token);
    if (Object.isFrozen(holder)) {
      keys.set(holder, key);
    }
    return key;
  };

  return {
    find(token, holder) {
      const key = holder === undefined ? keyOf(token) : (keys.get(holder) ?? keyOfHolder(holder, token));
      const entry = entries.get(key);
      if (entry === undefined) {
        return undefined;
      }
      if (now() >= entry.validUntilMs || !entry.isKeyPublished()) {
        entries.delete(key);
        return undefined;
      }
      return entry.caller;
    },
    keep(token, caller, isKeyPublished, ageMs = maxAgeMs) {
      const validUntilMs = Math.min(now() + Math.min(ageMs, maxAgeMs), caller.expiresAt * 1000);
      entries.set(keyOf(token), { caller, validUntilMs, isKeyPublished });
    },
  };
}

function keyOf(token: string): string {
  return hash('sha256', token, 'base64');
}
