import { createHash } from 'node:crypto';

/** A change, or one of a report, which has null for what is absent. */
interface IdentifiedChange {
  readonly kind: string;
  readonly coordinate: string;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  readonly subgraph?: string | null | undefined;
}

/**
 * Identifies a change, without lines or commits: it survives pushes, rebases and merge queues.
 *
 * @param graph its name; null for the whole graph
 */
export function fingerprintOf(
  { kind, coordinate, before, after, subgraph }: IdentifiedChange,
  graph: string | null,
): string {
  const ofGraph = graph === null ? [] : [graph];
  return createHash('sha256')
    .update(JSON.stringify([kind, coordinate, before ?? null, after ?? null, subgraph ?? null, ...ofGraph]))
    .digest('hex')
    .slice(0, 16);
}
