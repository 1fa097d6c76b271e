import { createHash } from 'node:crypto';

import { queryHash } from '@meridian/manifest';
import type { ApqStore } from '@meridian/shared-state';
import { LRUCache } from 'lru-cache';

import type { OperationSource } from '../../operation/operation-source.ts';
import { requestError } from '../../errors/request-error.ts';

/**
 * The longest text that is kept. A body may be megabytes, and clients could fill the memory with such texts.
 * A longer text runs, but its client has to send it every time.
 */
const maxKeptTextLength = 100_000;
/** The total length of all kept texts. */
const maxKeptLength = 32_000_000;

/** Operations that clients register themselves, by the SHA-256 of their text. Apollo calls them APQ. */
export type AutomaticQueries = ReturnType<typeof createAutomaticQueries>;

/**
 * @param maxEntries the number of texts in memory
 * @param shared texts registered with any replica; undefined when each replica has its own
 */
export function createAutomaticQueries(maxEntries: number, shared: ApqStore | undefined) {
  const texts = new LRUCache<string, OperationSource>({
    max: maxEntries,
    maxSize: maxKeptLength,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  const keep = (hash: string, text: string): OperationSource => {
    const registered = { text, key: queryHash(text), isFromManifest: false };
    if (text.length <= maxKeptTextLength) {
      texts.set(hash, registered);
    }
    return registered;
  };
  const findShared = async (hash: string, sharedTexts: ApqStore): Promise<OperationSource> => {
    const text = isHash(hash) ? await sharedTexts.find(hash) : undefined;
    // Other programs may write to that store: only a text with this hash is the requested one.
    if (text === undefined || hashOf(text) !== hash) {
      throw notFound();
    }
    return keep(hash, text);
  };
  return {
    /** @throws {RequestError} PERSISTED_QUERY_NOT_FOUND, after which a client sends the text too */
    find(hash: string): OperationSource | Promise<OperationSource> {
      const known = texts.get(hash);
      if (known !== undefined) {
        return known;
      }
      if (shared === undefined) {
        throw notFound();
      }
      return findShared(hash, shared);
    },
    /** @throws {RequestError} when the hash does not match the text */
    register(hash: string, text: string): OperationSource {
      if (hashOf(text) !== hash) {
        throw requestError('PERSISTED_QUERY_HASH_MISMATCH', 'The hash does not match the query');
      }
      if (text.length <= maxKeptTextLength) {
        shared?.keep(hash, text);
      }
      return keep(hash, text);
    },
  };
}

function notFound(): Error {
  return requestError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** True when it can be a SHA-256 hash; nothing else may become part of a key of the store. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
