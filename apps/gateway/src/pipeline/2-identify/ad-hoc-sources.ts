import { queryHash } from '@meridian/manifest';
import { LRUCache } from 'lru-cache';

import type { OperationSource } from '../../operation/operation-source.ts';

/** The texts that are kept, with their keys. Clients may send any text, so their total length has a limit too. */
const maxTexts = 1000;
const maxKeptLength = 4_000_000;
const maxKeptTextLength = 100_000;

/**
 * Creates the sources of texts that requests bring along. A client sends the same few texts again and again: to find
 * one here takes less than to hash it.
 */
export function createAdHocSources(): (text: string) => OperationSource {
  const sources = new LRUCache<string, OperationSource>({
    max: maxTexts,
    maxSize: maxKeptLength,
    maxEntrySize: maxKeptTextLength,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  return (text) => {
    const known = sources.get(text);
    if (known !== undefined) {
      return known;
    }
    const source = { text, key: queryHash(text), isFromManifest: false };
    sources.set(text, source);
    return source;
  };
}
