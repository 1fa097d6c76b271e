import { createHash } from 'node:crypto';

import { createBoundedCache } from '@meridian/executor';

import type { OperationText } from '../../operation-text.ts';
import { textKey } from '../../operation-text.ts';
import { refusal } from '../../refusal.ts';

/** Operations that clients register themselves, by the SHA-256 of their text. Apollo calls them APQ. */
export interface AutomaticQueries {
  /** @throws {Refusal} PERSISTED_QUERY_NOT_FOUND, upon which a client sends the text along */
  find(hash: string): OperationText;
  /** @throws {Refusal} where the hash is not that of the text */
  register(hash: string, text: string): OperationText;
}

export function createAutomaticQueries(maxEntries: number): AutomaticQueries {
  const texts = createBoundedCache<OperationText>(maxEntries);
  return {
    find(hash) {
      const known = texts.get(hash);
      if (known === undefined) {
        throw refusal('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
      }
      return known;
    },
    register(hash, text) {
      if (createHash('sha256').update(text).digest('hex') !== hash) {
        throw refusal('PERSISTED_QUERY_HASH_MISMATCH', 'The hash is not that of the query');
      }
      const registered = { text, key: textKey(text), isFromManifest: false };
      texts.set(hash, registered);
      return registered;
    },
  };
}
