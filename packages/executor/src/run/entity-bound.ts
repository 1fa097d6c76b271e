import { SubgraphFailure } from '../transport/subgraph-failure.ts';

/** How many different entities one request asks for. What asks for more has got a list out of all proportion. */
export const maxEntitiesOfFetch = 50_000;

export function tooManyEntities(): SubgraphFailure {
  return new SubgraphFailure(
    'SUBREQUEST_MALFORMED_RESPONSE',
    `the answers before have more than ${maxEntitiesOfFetch} entities to ask for`,
  );
}
