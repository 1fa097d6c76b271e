import { redactSecrets } from '@meridian/telemetry';
import { LRUCache } from 'lru-cache';

import type { Explanation } from './explanation.ts';

interface Entry {
  readonly traceId: string;
  readonly json: Buffer;
}

/** The approximate overhead of an entry, in addition to its JSON. */
const overheadBytes = 300;

/**
 * Creates a ring that keeps the explanations of recent requests, within a number of bytes: it drops the oldest first.
 * Requests are stored by the id that the gateway gave them, so that a client that chooses its trace id cannot replace
 * another's request. Each is stored as JSON, whose size is known.
 */
export function createExplanationRing(maxBytes: number) {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }) => json.byteLength + overheadBytes,
  });
  return {
    add(explanation: Explanation): void {
      const json = Buffer.from(redactSecrets(JSON.stringify(explanation)));
      entries.set(explanation.requestId, { traceId: explanation.traceId, json });
    },
    /** The explanations of a trace, or of one request, oldest first. */
    find(id: string): readonly Explanation[] {
      const found: Explanation[] = [];
      for (const requestId of entries.rkeys()) {
        const entry = entries.peek(requestId);
        if (entry !== undefined && (requestId === id || entry.traceId === id)) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written above
          found.push(JSON.parse(entry.json.toString()) as Explanation);
        }
      }
      return found;
    },
  };
}

export type ExplanationRing = ReturnType<typeof createExplanationRing>;
