import { redactSecrets } from '@meridian/telemetry';

import type { Explanation } from './explanation.ts';

/** Keeps the explanations of recent requests, within a number of bytes. */
export interface ExplanationRing {
  add(explanation: Explanation): void;
  /** Those of a trace, or the one of a request, the oldest first. */
  find(traceOrRequestId: string): readonly Explanation[];
}

interface Entry {
  readonly traceId: string;
  readonly json: Buffer;
}

/** What an entry takes beside its JSON, about. */
const overheadBytes = 300;

/**
 * Creates a ring that forgets the oldest first. Requests are kept by the id that the gateway gave them: a client that chooses
 * its trace id cannot push another's request out. Each is kept as JSON, whose size is known.
 */
export function createExplanationRing(maxBytes: number): ExplanationRing {
  // A Map keeps the order of insertion.
  const entries = new Map<string, Entry>();
  let bytes = 0;

  const sizeOf = ({ json }: Entry): number => json.byteLength + overheadBytes;
  const isOverfull = (): boolean => bytes > maxBytes;
  const forgetOldest = (): void => {
    const [oldest] = entries;
    if (oldest !== undefined) {
      entries.delete(oldest[0]);
      bytes -= sizeOf(oldest[1]);
    }
  };
  return {
    add(explanation) {
      const json = Buffer.from(redactSecrets(JSON.stringify(explanation)));
      const entry = { traceId: explanation.traceId, json };
      if (sizeOf(entry) > maxBytes) {
        return;
      }
      entries.set(explanation.requestId, entry);
      bytes += sizeOf(entry);
      while (isOverfull()) {
        forgetOldest();
      }
    },
    find(id) {
      const found = [...entries].filter(([requestId, { traceId }]) => requestId === id || traceId === id);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written above
      return found.map(([, { json }]) => JSON.parse(json.toString()) as Explanation);
    },
  };
}
