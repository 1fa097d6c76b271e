import { createHash } from 'node:crypto';

import type { ApqStore } from '@meridian/shared-state';
import { LRUCache } from 'lru-cache';

import type { OperationSource } from '../../operation/operation-source.ts';
import { queryHash } from '../../operation/operation-source.ts';
import { requestError } from '../../errors/request-error.ts';

/**
 * The longest text that is kept. A body may be megabytes, and whoever can send one could fill the memory with them: a longer text runs,
 * and its client sends it along each time.
 */
const longestKeptText = 100_000;
/** How long all texts that are kept are together. */
const maxKeptLength = 32_000_000;

export interface AutomaticQueriesOptions {
  /** How many are held in memory. */
  readonly maxEntries: number;
  /** What clients have registered with any replica; absent where each has its own. */
  readonly shared?: ApqStore | undefined;
}

/** Operations that clients register themselves, by the SHA-256 of their text. Apollo calls them APQ. */
export interface AutomaticQueries {
  /** @throws {RequestError} PERSISTED_QUERY_NOT_FOUND, upon which a client sends the text along */
  find(hash: string): OperationSource | Promise<OperationSource>;
  /** @throws {RequestError} where the hash is not that of the text */
  register(hash: string, text: string): OperationSource;
}

export function createAutomaticQueries({ maxEntries, shared }: AutomaticQueriesOptions): AutomaticQueries {
  const texts = new LRUCache<string, OperationSource>({
    max: maxEntries,
    maxSize: maxKeptLength,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  const keep = (hash: string, text: string): OperationSource => {
    const registered = { text, key: queryHash(text), isFromManifest: false };
    if (text.length <= longestKeptText) {
      texts.set(hash, registered);
    }
    return registered;
  };
  const findShared = async (hash: string, sharedTexts: ApqStore): Promise<OperationSource> => {
    const text = isHash(hash) ? await sharedTexts.find(hash) : undefined;
    // Others write to that store too: only a text of this hash is what the client asks for.
    if (text === undefined || hashOf(text) !== hash) {
      throw notFound();
    }
    return keep(hash, text);
  };
  return {
    find(hash) {
      const known = texts.get(hash);
      if (known !== undefined) {
        return known;
      }
      if (shared === undefined) {
        throw notFound();
      }
      return findShared(hash, shared);
    },
    register(hash, text) {
      if (hashOf(text) !== hash) {
        throw requestError('PERSISTED_QUERY_HASH_MISMATCH', 'The hash is not that of the query');
      }
      if (text.length <= longestKeptText) {
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

/** Whether it can be a SHA-256 at all, so that nothing else goes into a key of the store. */
function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
