import type { CompiledFetch } from '../compile/compile-fetch.ts';
import type { DataObject } from '../data.ts';
import { SubgraphFailure } from '../transport/subgraph-failure.ts';
import type { Batch } from './batch.ts';
import { findTargets } from './find-targets.ts';
import { noteAnsweredErrors, noteFailure } from './note-errors.ts';
import type { FetchAnswer } from './read-answer.ts';
import type { RunState } from './run-state.ts';

/**
 * Runs one fetch, and brings its answer into the data. A failure is noted, and does not stop the run.
 */
export async function runFetch(fetch: CompiledFetch, state: RunState): Promise<void> {
  const batch = batchOf(fetch, findTargets(state.data, fetch.step.path));
  if (batch.targets.length === 0) {
    return;
  }
  let answer: FetchAnswer;
  try {
    answer = await state.send(fetch, batch.representations);
  } catch (error) {
    if (!(error instanceof SubgraphFailure)) {
      throw error;
    }
    noteFailure(error, fetch, batch, state);
    return;
  }
  noteAnsweredErrors(answer, fetch, batch, state);
  merge(answer, fetch, batch, state);
}

function batchOf({ writeRepresentation }: CompiledFetch, targets: readonly DataObject[]): Batch {
  if (writeRepresentation === undefined) {
    return { representations: undefined, targets: targets.length === 0 ? [] : [targets] };
  }
  const byRepresentation = new Map<string, DataObject[]>();
  for (const target of targets) {
    const representation = writeRepresentation(target);
    if (representation === undefined) {
      continue;
    }
    const same = byRepresentation.get(representation);
    if (same === undefined) {
      byRepresentation.set(representation, [target]);
    } else {
      same.push(target);
    }
  }
  return { representations: [...byRepresentation.keys()], targets: [...byRepresentation.values()] };
}

function merge(
  { data, entities }: FetchAnswer,
  { reader }: CompiledFetch,
  { representations, targets }: Batch,
  { missing }: RunState,
): void {
  if (data === null) {
    return;
  }
  targets.forEach((same, index) => {
    const source = representations === undefined ? data : (entities[index] ?? null);
    for (const target of same) {
      if (source !== null) {
        reader.read(source, target, typeNameOf(target));
      } else {
        missing.add(target);
      }
    }
  });
}

function typeNameOf({ __typename }: DataObject): string | undefined {
  return typeof __typename === 'string' ? __typename : undefined;
}
