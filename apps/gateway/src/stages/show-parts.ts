import type { RunBatch, RunParts } from '../operation/run.ts';
import type { ResultPlace, ShownResult } from './operation-messages.ts';

type ShownBatch = RunBatch<ShownResult['errors'][number]>;

/** The later parts of a result as the client is to get them. */
export async function* showParts(
  batches: AsyncIterable<ShownBatch>,
  pending: RunParts['pending'],
  show: (place: ResultPlace & { readonly result: ShownResult }) => ShownResult | Promise<ShownResult>,
): AsyncGenerator<ShownBatch, void, void> {
  let open = pending.length;
  for await (const batch of batches) {
    open += batch.pending.length;
    const completed: ShownBatch['completed'][number][] = [];
    for (const { fragment, data, errors } of batch.completed) {
      open -= 1;
      const { path } = fragment;
      const shown = await show({ result: { data, errors }, path, hasNext: open > 0, isFirst: false });
      completed.push({ fragment, data: shown.data, errors: shown.errors });
    }
    yield { completed, pending: batch.pending };
  }
}
