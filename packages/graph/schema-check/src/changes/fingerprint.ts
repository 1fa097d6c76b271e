import { createHash } from 'node:crypto';

import type { Change } from './change.ts';

/** Identifies a change, without lines or commits: it survives pushes, rebases and merge queues. */
export function fingerprintOf({ kind, coordinate, before, after, subgraph }: Omit<Change, 'level'>): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, coordinate, before ?? null, after ?? null, subgraph ?? null]))
    .digest('hex')
    .slice(0, 16);
}
