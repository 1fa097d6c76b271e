import { SubgraphFailure } from '../transport/subgraph-failure.ts';

/** The input of a fetch in one run. */
export interface FetchInput {
  /** The representations as JSON, without the brackets around them; undefined for root fields. */
  readonly representations: string | undefined;
  /** The number of entities. */
  readonly entityCount: number | undefined;
}

/**
 * The most different entities in one request. A fetch with more comes from a disproportionate list; further
 * representations are not kept.
 */
export const maxEntitiesOfFetch = 50_000;

export function tooManyEntities(): SubgraphFailure {
  return new SubgraphFailure(
    'SUBREQUEST_MALFORMED_RESPONSE',
    `earlier responses have more than ${maxEntitiesOfFetch} entities to fetch`,
  );
}
