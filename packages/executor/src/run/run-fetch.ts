import type { CompiledFetch } from '../compile/compile-fetch.ts';
import { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { maxEntitiesOfFetch, tooManyEntities } from './entity-bound.ts';
import type { RunData } from './run-data.ts';
import type { SendFetch } from './send-fetch.ts';

/** Runs one fetch, and brings its answer into the data. A failure is noted, and does not stop the run. */
export async function runFetch(fetch: CompiledFetch, data: RunData, send: SendFetch): Promise<void> {
  const question = data.ask(fetch);
  if (question === undefined) {
    return;
  }
  if ((question.entityCount ?? 0) > maxEntitiesOfFetch) {
    data.fail(fetch, tooManyEntities());
    return;
  }
  const sent = send(fetch, question);
  try {
    const answer = await sent.answer;
    sent.onTaken(answer, data.take(fetch, answer.text));
  } catch (error) {
    sent.onFailure(error);
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    data.fail(fetch, error);
  }
}
