import type { SubgraphInterceptor } from '@meridian/executor';
import { deduplicateQueries } from '@meridian/executor';

import type { SubgraphSettings } from '../config/subgraph-settings.ts';
import type { Run } from '../operation/run.ts';
import type { ForwardedFields } from './header-rules.ts';
import { addHeaders } from './header-rules.ts';

export interface CallOptions {
  readonly settings: SubgraphSettings;
  readonly forwardedFields: ForwardedFields;
  /** Measures the requests that are sent: a deduplicated one counts once. */
  readonly measure: SubgraphInterceptor<Run>;
}

/**
 * The code around the calls to one subgraph, the outermost first. What its configuration does not ask for is not in the
 * list. Inside of it, `createHttpTransport` limits the time, decodes the response, and sends a lost query again.
 */
export function subgraphInterceptors({
  settings,
  forwardedFields,
  measure,
}: CallOptions): readonly (SubgraphInterceptor<Run> | undefined)[] {
  return [
    addHeaders(forwardedFields),
    settings.deduplicatesQueries ? deduplicateQueries() : undefined,
    measure,
  ];
}
