import type { CompositionIssue } from '@meridian/composition';

import type { Change } from '../changes/change.ts';
import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { createLocator } from '../changes/places/locate-changes.ts';
import type { GatewayLimits } from '../limits/gateway-limits.ts';
import type { OwnersOf } from '../read/code-owners.ts';
import type { ClientOperation, FilePlace } from '../read/read-manifests.ts';
import type { Sides } from '../read/read-sides.ts';
import { rulesFile } from '../rules/rules.ts';
import type { ReportedPlace } from './report.ts';

interface PlaceSources {
  readonly sides: Sides;
  /** The hints of composition that are changes. */
  readonly hints: ReadonlyMap<Change, CompositionIssue>;
  /** Of the changed manifests, then of the base's. */
  readonly listed: readonly ClientOperation[];
  readonly limits: Pick<GatewayLimits, 'placeOf'> | undefined;
  readonly ownersOf: OwnersOf;
}

/** Finds the places of changes, with their owners: in schemas, else in a manifest or a configuration. */
export function createReportedPlaces(
  sources: PlaceSources,
): (change: ChangeWithHits) => readonly ReportedPlace[] {
  const {
    sides: { before, after },
    hints,
    ownersOf,
  } = sources;
  const locate = createLocator(before, after);
  const filePlaceOf = createFilePlaces(sources);
  const placed = (
    subgraph: string | null,
    file: string | undefined,
    line: number | undefined,
    column: number | undefined,
  ): ReportedPlace => ({
    subgraph,
    owners: file === undefined ? [] : ownersOf(file),
    file: file ?? null,
    line: line ?? null,
    column: column ?? null,
  });
  return (change) => {
    const hint = hints.get(change);
    if (hint !== undefined) {
      return hint.locations.map(({ subgraph, start: { line, column } }) =>
        placed(subgraph, after.sources.find(({ name }) => name === subgraph)?.file, line, column),
      );
    }
    const places = locate(change).map(({ subgraph, file, line, column }) =>
      placed(subgraph, file, line, column),
    );
    const place = places.length > 0 ? undefined : filePlaceOf(change);
    return place === undefined ? places : [placed(null, place.file, place.line, 1)];
  };
}

/**
 * Finds the place of a change that no schema has: the operation in its manifest, or the key of a configuration. Code
 * scanning takes no result without a place.
 */
function createFilePlaces({
  listed,
  limits,
}: PlaceSources): (change: ChangeWithHits) => FilePlace | undefined {
  const byId = new Map(listed.toReversed().map((operation) => [operation.id, operation]));
  const byName = new Map(listed.toReversed().map((operation) => [`operation ${operation.name}`, operation]));
  return ({ coordinate, before, hits }) => {
    const [file = '', key = ''] = coordinate.split(' ', 2);
    const limit = limits?.placeOf(key);
    if (file === rulesFile || file === limit?.file) {
      return file === rulesFile ? { file, line: 1 } : limit;
    }
    const identifiers = [...hits.flatMap(({ operation }) => operation.identifiers), before ?? ''];
    const identified = identifiers.map((id) => byId.get(id)).find((operation) => operation !== undefined);
    return (identified ?? byName.get(coordinate))?.place?.();
  };
}
