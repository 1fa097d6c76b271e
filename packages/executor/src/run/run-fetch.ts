import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { maxEntitiesOfFetch, tooManyEntities } from './entity-bound.ts';
import type { RunData } from './run-data.ts';
import type { SendFetch } from './send-fetch.ts';

/** Runs one fetch, and brings its answer into the data. A failure is noted, and does not stop the run. */
export async function runFetch(fetch: CompiledFetch, data: RunData, send: SendFetch): Promise<void> {
  const input = data.buildRequest(fetch);
  if (input === undefined) {
    return;
  }
  if ((input.entityCount ?? 0) > maxEntitiesOfFetch) {
    data.recordFailure(fetch, tooManyEntities());
    return;
  }
  const sent = send(fetch, input);
  try {
    const response = await sent.response;
    sent.onMerged(response, data.mergeResponse(fetch, response.text));
  } catch (error) {
    sent.onFailure(error);
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    data.recordFailure(fetch, error);
  }
}
