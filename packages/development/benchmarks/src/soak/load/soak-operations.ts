import { createHash } from 'node:crypto';

import type { ListedOperation } from './operations.ts';

/** More aliases than any configuration of the run allows. */
export const tooManyAliases = operation(`query TooManyAliases { me { ${aliases(40)} } }`);

/** One alias more than router.yaml allows as shipped. */
export const aliasesOnTheEdge = operation(`query AliasesOnTheEdge { me { ${aliases(31)} } }`);

/** The stream of clients that stay. */
export const watchReviews = operation(
  'subscription WatchReviews($productId: ID!) { reviewAdded(productId: $productId) { id } }',
);

/** The marker that the reload of that number registers, and the next one removes. */
export const markerOfReload = (number: number): ListedOperation =>
  operation(`query Reload${number} { me { id } }`);

function aliases(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}: name`).join(' ');
}

function operation(body: string): ListedOperation {
  const [, type, name = ''] = /^(query|subscription) (\w+)/u.exec(body) ?? [];
  return {
    id: createHash('sha256').update(body).digest('hex'),
    name,
    type: type === 'subscription' ? type : 'query',
    body,
  };
}
