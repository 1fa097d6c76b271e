import { SubgraphFailure } from '../transport/subgraph-failure.ts';

/**
 * The maximum of different entities in one request. A fetch with more comes from a list out of all
 * proportion: no representation after these is kept.
 */
export const maxEntitiesOfFetch = 50_000;

export function tooManyEntities(): SubgraphFailure {
  return new SubgraphFailure(
    'SUBREQUEST_MALFORMED_RESPONSE',
    `the answers before have more than ${maxEntitiesOfFetch} entities to ask for`,
  );
}
