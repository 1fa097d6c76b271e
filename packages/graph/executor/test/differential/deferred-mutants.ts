// Executors in which one thing about deferred fragments is wrong: the comparison has to catch each.
import type {
  CompletedFragment,
  DeferredBatch,
  DeferredFragment,
  DeferredParts,
  ExecutionResult,
  Executor,
  ExecutorOptions,
} from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';

/** Makes an executor as the comparison runs it. */
type CreateTested = (options: ExecutorOptions) => Executor;

export const deferredMutants: readonly (readonly [string, CreateTested])[] = [
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

function withResults(change: (result: ExecutionResult) => ExecutionResult): CreateTested {
  return (options) => {
    const executor = createExecutor(options);
    return {
      ...executor,
      prepare(operation) {
        const prepared = executor.prepare(operation);
        return { ...prepared, run: async (run) => change(await prepared.run(run)) };
      },
    };
  };
}

function withDeferred(change: (deferred: DeferredParts) => DeferredParts): CreateTested {
  return withResults((result) =>
    result.deferred === undefined ? result : { ...result, deferred: change(result.deferred) },
  );
}

function withBatches(change: (batch: DeferredBatch) => DeferredBatch): CreateTested {
  return withDeferred(({ pending, batches }) => ({ pending, batches: mapped(batches, change) }));
}

function withParts(change: (part: CompletedFragment) => CompletedFragment): CreateTested {
  return withBatches(({ completed, pending }) => ({ completed: completed.map(change), pending }));
}

function withFragments(change: (fragment: DeferredFragment) => DeferredFragment): CreateTested {
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
