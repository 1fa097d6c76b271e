import { readJoins } from '@meridian/composition/sdl/joins';

import { compareApi } from './api/compare-api.ts';
import type { Change } from './change.ts';
import { compareAppliedDirectives } from './federation/compare-applied.ts';
import { compareJoins } from './federation/compare-joins.ts';
import { compareLinks, compareSources } from './federation/compare-sources.ts';
import type { Graph } from './graph.ts';
import { levels } from './kinds.ts';

/**
 * Compares two graphs: what clients see, how subgraphs resolve it, and what the gateway reads of it. The most severe
 * changes come first, in the order of their coordinates.
 */
export function compareGraphs(before: Graph, after: Graph): readonly Change[] {
  if (before.supergraph.sdl === after.supergraph.sdl) {
    return compareSources(before.sources, after.sources).toSorted(bySeverity);
  }
  const [one, other] = [before.supergraph, after.supergraph];
  return [
    ...compareApi(one.apiSchema, other.apiSchema),
    ...compareJoins(readJoins(one.document), readJoins(other.document)),
    ...compareAppliedDirectives(one, other),
    ...(before.sources.length === 0 || after.sources.length === 0
      ? compareLinks(one.document, other.document, undefined)
      : compareSources(before.sources, after.sources)),
  ].toSorted(bySeverity);
}

/** The order in which changes are shown. */
export function bySeverity(one: Change, other: Change): number {
  return (
    levels.indexOf(one.level) - levels.indexOf(other.level) ||
    compareTexts(one.coordinate, other.coordinate) ||
    compareTexts(one.kind, other.kind) ||
    compareTexts(one.before ?? one.after ?? '', other.before ?? other.after ?? '')
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
