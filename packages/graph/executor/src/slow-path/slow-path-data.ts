import type { JsonBounds } from '@meridian/json';
import { parseJsonExactly } from '@meridian/json';

import type { CompiledFetch } from './compile-fetch.ts';
import { withContextValues } from './compile-fetch.ts';
import type { SlowPathPlan } from './compile-slow-path.ts';
import type { DeferralWriting, WriteData, Writing } from './write-data.ts';
import type { DataObject } from './data.ts';
import { isObject } from './data.ts';
import type { ExecutionError, ExecutionResult, ResponsePath } from '../result.ts';
import type { SubgraphFailure } from '../transport/subgraph-failure.ts';
import { contextValues, valueAt } from './context-values.ts';
import { createFiledErrors, createIsUnexplained } from './error-places.ts';
import type { OnTarget } from './find-targets.ts';
import { findTargetPaths, visitTargets } from './find-targets.ts';
import { recordFailure, recordFailureOnce, recordReceivedErrors } from './record-errors.ts';
import type { FetchInput } from '../selections/fetch-input.ts';
import { maxEntitiesOfFetch, tooManyEntities } from '../selections/fetch-input.ts';
import type { FoundPart } from '../selections/deferred-parts.ts';
import type { FetchResponse } from './read-response.ts';
import { readRefused, readResponse } from './read-response.ts';
import type { EntityBatch, RunState } from './run-state.ts';
import { RunErrors, TargetPaths } from './run-state.ts';

type Variables = Readonly<Record<string, unknown>>;

/** The data of a run as objects, which can represent every response of a subgraph. */
export interface SlowPathData {
  /**
   * A fetch with context variables once for each of their values, for the objects that have these.
   *
   * @throws {SubgraphFailure} for more objects than a fetch may have entities
   */
  inContexts(fetch: CompiledFetch): readonly CompiledFetch[];
  /**
   * The input of a fetch in this run; undefined when there is no object to fetch for.
   *
   * @param sent the input that was already sent, when the step is repeated
   * @throws {SubgraphFailure} for more entities than a fetch may have
   */
  buildRequest(fetch: CompiledFetch, sent?: FetchInput): FetchInput | undefined;
  /**
   * Merges the response of a sent fetch into the data, with the errors that the subgraph reported.
   *
   * @returns the number of these
   * @throws {SubgraphFailure} for an unusable response
   */
  mergeResponse(fetch: CompiledFetch, text: string | Buffer): number;
  /** Records that a sent fetch failed, and merges the GraphQL response that may have come with an error status. */
  recordFailure(fetch: CompiledFetch, failure: SubgraphFailure): void;
  result(): Pick<ExecutionResult, 'data' | 'errors'>;
  /** The first result of a plan with deferred fragments. */
  first(): WrittenPart;
  /** The fields of a deferred fragment that was announced. */
  part(found: FoundPart): WrittenPart;
  /** The errors that no part had. */
  errorsLeft(): readonly ExecutionError[];
}

/** A part of a result, and the deferred fragments that it announces. */
export interface WrittenPart extends Pick<ExecutionResult, 'data' | 'errors'> {
  readonly found: readonly FoundPart[];
}

export function createSlowPathData(
  plan: SlowPathPlan,
  variables: Variables,
  bounds?: JsonBounds,
): SlowPathData {
  const data: DataObject = {};
  const state: RunState = {
    data,
    errors: new RunErrors(),
    targetPaths: new TargetPaths(data),
    missing: new Set(),
    clientPath: plan.clientPath,
  };
  const nulls = new Set<string>();
  const filedErrors = createFiledErrors(() => state.errors.kept);
  const batches = new Map<CompiledFetch, EntityBatch>();
  const targetsInContext = new Map<CompiledFetch, readonly DataObject[]>();
  const batchFor = (fetch: CompiledFetch): EntityBatch =>
    batches.get(fetch) ?? { representations: undefined, targets: [] };

  let introspection: Writing['introspection'] | undefined;
  // Most responses here are only written in another form, and have no violations.
  let explained:
    | { readonly count: number; readonly isUnexplained: (path: ResponsePath) => boolean }
    | undefined;
  const findUnexplained = (): ((path: ResponsePath) => boolean) => {
    const { kept } = state.errors;
    if (explained?.count !== kept.length) {
      explained = { count: kept.length, isUnexplained: createIsUnexplained(kept) };
    }
    return explained.isUnexplained;
  };
  const write = (
    writeData: WriteData,
    object: DataObject,
    { path, deferral }: Pick<Writing, 'path' | 'deferral'>,
    whenMissing?: string,
  ): string | undefined => {
    introspection ??= plan.writeIntrospection(variables);
    let isUnexplained: ((path: ResponsePath) => boolean) | undefined;
    const writing: Writing = {
      introspection,
      missing: state.missing,
      path,
      deferral,
      onViolation(at, message) {
        isUnexplained ??= findUnexplained();
        if (isUnexplained(at)) {
          state.errors.note({
            kind: 'subrequest',
            code: 'SUBREQUEST_MALFORMED_RESPONSE',
            cause: new Error(message),
            path: [...at],
          });
        }
      },
    };
    const text = writeData(object, writing);
    if (text === null && whenMissing !== undefined) {
      writing.onViolation(path, whenMissing);
    }
    return text ?? undefined;
  };

  return {
    inContexts(fetch) {
      const byValues = new Map<string, DataObject[]>();
      const paths = findTargetPaths(state.data, fetch.step.path, maxEntitiesOfFetch + 1);
      if (paths.size > maxEntitiesOfFetch) {
        batches.set(fetch, { representations: [], targets: [[...paths.keys()]] });
        throw tooManyEntities();
      }
      for (const [target, path] of paths) {
        const values = contextValues(state.data, path, fetch.step.contextVariables, plan.schema);
        if (values !== undefined) {
          const same = byValues.get(values) ?? [];
          byValues.set(values, same);
          same.push(target);
        }
      }
      return Array.from(byValues, ([values, targets]) => {
        const inContext = withContextValues(fetch, values);
        targetsInContext.set(inContext, targets);
        return inContext;
      });
    },
    buildRequest(fetch, sent) {
      const inContext = targetsInContext.get(fetch);
      const collected = collectBatch(fetch, (onTarget) => {
        if (inContext === undefined) {
          visitTargets(state.data, fetch.step.path, onTarget);
        } else {
          inContext.every(onTarget);
        }
      });
      const batch = alignWithSent(collected, sent);
      batches.set(fetch, batch);
      const { representations } = batch;
      if (representations !== undefined && representations.length > maxEntitiesOfFetch) {
        throw tooManyEntities();
      }
      if (batch.targets.length === 0) {
        return undefined;
      }
      state.targetPaths.onSent(fetch);
      return { representations: representations?.join(','), entityCount: representations?.length };
    },
    mergeResponse(fetch, text) {
      const batch = batchFor(fetch);
      const response = readResponse(text, batch.representations?.length, { bounds });
      recordReceivedErrors(response, fetch, batch, state);
      state.targetPaths.onEnd(fetch);
      merge(response, fetch, batch, state);
      return response.errorCount;
    },
    recordFailure(fetch, failure) {
      const batch = batchFor(fetch);
      const response = readRefused(failure, batch.representations?.length, { bounds });
      if (response === undefined) {
        recordFailure(failure, fetch, batch, state);
        state.targetPaths.onEnd(fetch);
        return;
      }
      recordReceivedErrors(response, fetch, batch, state);
      recordFailureOnce(failure, fetch, state);
      state.targetPaths.onEnd(fetch);
      merge(response, fetch, batch, state);
    },
    result: () => ({
      data: write(plan.writeData, data, { path: [], deferral: undefined }) ?? 'null',
      errors: state.errors.all(),
    }),
    first() {
      const deferral: DeferralWriting = { found: [], nulls };
      const text = write(plan.writeData, data, { path: [], deferral });
      return writtenPart(text, filedErrors.ofFirst(plan.selections), deferral);
    },
    part(found) {
      const {
        part,
        fragment: { path },
      } = found;
      const deferral: DeferralWriting = { found: [], nulls };
      const object = valueAt(data, dataPath(path, part.place));
      if (!isObject(object)) {
        state.errors.note(missingObject(path));
        return writtenPart(undefined, filedErrors.ofPart(found), deferral);
      }
      // An entity that is missing cannot be null here: it was delivered.
      const text = write(
        plan.writePart(part),
        object,
        { path: [...path], deferral },
        'The entity is missing',
      );
      return writtenPart(text, filedErrors.ofPart(found), deferral);
    },
    errorsLeft: () => [...filedErrors.left(), ...state.errors.summary()],
  };
}

/** Collects the objects that a fetch is for, and ends at the first entity above the bound. */
function collectBatch(
  { writeRepresentation }: CompiledFetch,
  visitAll: (onTarget: OnTarget) => void,
): EntityBatch {
  if (writeRepresentation === undefined) {
    const targets: DataObject[] = [];
    visitAll((target) => targets.push(target) > 0);
    return { representations: undefined, targets: targets.length === 0 ? [] : [targets] };
  }
  const byRepresentation = new Map<string, DataObject[]>();
  visitAll((target) => {
    const representation = writeRepresentation(target);
    if (representation === undefined) {
      return true;
    }
    const same = byRepresentation.get(representation);
    if (same !== undefined) {
      same.push(target);
      return true;
    }
    byRepresentation.set(representation, [target]);
    return byRepresentation.size <= maxEntitiesOfFetch;
  });
  return { representations: [...byRepresentation.keys()], targets: [...byRepresentation.values()] };
}

/**
 * The batch as it was already sent: a representation in two forms, with an escape and without, was sent twice. All of
 * its objects get the first result.
 */
function alignWithSent(batch: EntityBatch, sent: FetchInput | undefined): EntityBatch {
  const { representations, targets } = batch;
  if (representations === undefined || sent === undefined || sent.entityCount === representations.length) {
    return batch;
  }
  const left = new Map(representations.map((text, index) => [text, targets[index] ?? []]));
  const items = parseJsonExactly(`[${sent.representations ?? ''}]`);
  const sentTexts = Array.isArray(items) ? items.map((item: unknown) => JSON.stringify(item)) : [];
  return {
    representations: sentTexts,
    targets: sentTexts.map((text) => {
      const same = left.get(text) ?? [];
      left.delete(text);
      return same;
    }),
  };
}

function merge(
  { data, entities }: FetchResponse,
  { reader }: CompiledFetch,
  { representations, targets }: EntityBatch,
  { missing, targetPaths }: RunState,
): void {
  if (data === null) {
    return;
  }
  targets.forEach((same, index) => {
    const source = representations === undefined ? data : (entities[index] ?? null);
    for (const target of same) {
      if (source !== null) {
        reader.read(source, target, targetPaths.keep, typeNameOf(target));
      } else {
        missing.add(target);
      }
    }
  });
}

function typeNameOf({ __typename }: DataObject): string | undefined {
  return typeof __typename === 'string' ? __typename : undefined;
}

/** An announced object that a response has replaced since: two subgraphs sent lists of different length. */
function missingObject(path: ResponsePath): ExecutionError {
  const cause = new Error('The object of a deferred fragment is gone');
  return { kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE', cause, path };
}

function writtenPart(
  text: string | undefined,
  errors: readonly ExecutionError[],
  { found }: DeferralWriting,
): WrittenPart {
  return { data: text ?? 'null', errors, found: text === undefined ? [] : found };
}

/** The path by plan names of an object whose place and path in the client's names are known. */
function dataPath(path: ResponsePath, place: readonly string[]): ResponsePath {
  let index = 0;
  return path.map((key) => {
    if (typeof key === 'number') {
      return key;
    }
    index += 1;
    return place[index - 1] ?? key;
  });
}
