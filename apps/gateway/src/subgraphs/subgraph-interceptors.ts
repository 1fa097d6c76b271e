import type { SubgraphInterceptor } from '@meridian/executor';
import { deduplicateQueries } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';
import type { Run } from '../operation/run.ts';

export interface CallOptions {
  readonly settings: SubgraphSettings;
  /** Measures the requests that are sent: a deduplicated one counts once. */
  readonly measure: SubgraphInterceptor<Run>;
}

/**
 * The code around the calls to one subgraph, the outermost first. What its configuration does not ask for is not in the
 * list.
 */
export function subgraphInterceptors({
  settings,
  measure,
}: CallOptions): readonly (SubgraphInterceptor<Run> | undefined)[] {
  return [settings.deduplicatesQueries ? deduplicateQueries() : undefined, measure];
}
