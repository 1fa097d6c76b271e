import { SubgraphFailure } from '../transport/subgraph-failure.ts';

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
