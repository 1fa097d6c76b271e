// Executors in which one thing about deferred fragments is wrong: the comparison has to catch each.
import type { CompletedFragment, DeferredBatch, DeferredFragment, DeferredParts } from '../../src/index.ts';
import type { CreateExecutor } from './mutants.ts';
import { withResult } from './mutants.ts';

export const deferredMutants: readonly (readonly [string, CreateExecutor])[] = [
  ['labels are lost', withFragments(({ path }) => ({ label: undefined, path }))],
  [
    'each item of a list is the first',
    withFragments(({ label, path }) => ({ label, path: path.map((key) => (key === 1 ? 0 : key)) })),
  ],
  [
    'each fragment is announced for its parent',
    withFragments(({ label, path }) => ({ label, path: path.slice(0, -1) })),
  ],
  [
    'the last fragment of a batch is lost',
    withBatches(({ completed, pending }) => ({ completed: completed.slice(0, -1), pending })),
  ],
  [
    'a fragment completes twice',
    withBatches(({ completed, pending }) => ({
      completed: [...completed, ...completed.slice(0, 1)],
      pending,
    })),
  ],
  ['fragments inside others are not announced', withBatches(({ completed }) => ({ completed, pending: [] }))],
  [
    'each part of a batch has the data of another',
    withBatches(({ completed, pending }) => ({
      completed: completed.map((one, index) => ({ ...one, data: completed.at(index - 1)?.data ?? 'null' })),
      pending,
    })),
  ],
  ['errors of parts are lost', withParts((one) => ({ ...one, errors: [] }))],
  ['parts are null', withParts((one) => ({ ...one, data: 'null' }))],
  ['parts have no fields', withParts((one) => ({ ...one, data: one.data === 'null' ? 'null' : '{}' }))],
];

function withDeferred(change: (deferred: DeferredParts) => DeferredParts): CreateExecutor {
  return withResult((result) =>
    result.deferred === undefined ? result : { ...result, deferred: change(result.deferred) },
  );
}

function withBatches(change: (batch: DeferredBatch) => DeferredBatch): CreateExecutor {
  return withDeferred(({ pending, batches }) => ({ pending, batches: mapped(batches, change) }));
}

function withParts(change: (part: CompletedFragment) => CompletedFragment): CreateExecutor {
  return withBatches(({ completed, pending }) => ({ completed: completed.map(change), pending }));
}

function withFragments(change: (fragment: DeferredFragment) => DeferredFragment): CreateExecutor {
  return withDeferred(({ pending, batches }) => {
    const changed = new Map<DeferredFragment, DeferredFragment>();
    const changeAll = (fragments: readonly DeferredFragment[]): readonly DeferredFragment[] =>
      fragments.map((fragment) => {
        const other = change(fragment);
        changed.set(fragment, other);
        return other;
      });
    const first = changeAll(pending);
    const rest = mapped(batches, (batch) => ({
      completed: batch.completed.map(({ fragment, data, errors }) => ({
        fragment: changed.get(fragment) ?? fragment,
        data,
        errors,
      })),
      pending: changeAll(batch.pending),
    }));
    return { pending: first, batches: rest };
  });
}

async function* mapped(
  batches: AsyncIterable<DeferredBatch>,
  change: (batch: DeferredBatch) => DeferredBatch,
): AsyncGenerator<DeferredBatch, void, void> {
  for await (const batch of batches) {
    yield change(batch);
  }
}
