import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { ReceivedBody } from './received-body.ts';
import type { RunData } from './run-data.ts';
import type { FetchSender, SentFetch } from './send-fetch.ts';

/** Runs a fetch, once or for each value of its context variables. */
export function runAnyFetch(fetch: CompiledFetch, data: RunData, sender: FetchSender): Promise<void> {
  return fetch.step.contextVariables.length === 0
    ? runFetch(fetch, data, sender)
    : runInContexts(fetch, data, sender);
}

/** Runs one fetch, and merges its response into the data. A failure is recorded, and does not stop the run. */
async function runFetch(fetch: CompiledFetch, data: RunData, sender: FetchSender): Promise<void> {
  let sent: SentFetch | undefined;
  try {
    const input = data.buildRequest(fetch);
    if (input === undefined) {
      return;
    }
    sent = sender.send(fetch, input);
    const { arrival } = sent;
    const body = arrival instanceof ReceivedBody ? arrival : sent.receive(await arrival);
    sent.onMerged(data.mergeResponse(fetch, body));
  } catch (error) {
    sent?.onFailure(error);
    recordOrThrow(error, fetch, data);
  }
}

/** Runs a fetch with context variables, once for each of their values. */
async function runInContexts(fetch: CompiledFetch, data: RunData, sender: FetchSender): Promise<void> {
  let fetches: readonly CompiledFetch[];
  try {
    fetches = data.inContexts(fetch);
  } catch (error) {
    recordOrThrow(error, fetch, data);
    return;
  }
  await Promise.all(fetches.map((inContext) => runFetch(inContext, data, sender)));
}

/** Records a failed subrequest; throws any other error. */
export function recordOrThrow(error: unknown, fetch: CompiledFetch, data: RunData): void {
  if (!(error instanceof SubgraphFailure)) {
    throw error;
  }
  data.recordFailure(fetch, error);
}
