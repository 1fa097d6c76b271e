import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Caller } from '../caller.ts';

/** The callers of tokens verified a short while ago. Contract: Identity. */
export interface TokenCache {
  find(token: string): Caller | undefined;
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

  return {
    find(token) {
      const key = keyOf(token);
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
