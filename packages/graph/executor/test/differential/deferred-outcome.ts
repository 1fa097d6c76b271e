import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import type { ConstArgumentNode, DocumentNode } from 'graphql';
import { Kind, visit } from 'graphql';

import type {
  CompletedFragment,
  DeferredFragment,
  ExecutionError,
  ExecutionResult,
} from '../../src/index.ts';

/** A result, part by part. */
export interface DeferredOutcome {
  readonly first: Pick<ExecutionResult, 'data' | 'errors'>;
  /** In the order in which they came. */
  readonly events: readonly DeferredEvent[];
}

export interface DeferredEvent {
  readonly announced: readonly DeferredFragment[];
  readonly completed: readonly CompletedFragment[];
}

/** Reads a result to its end. */
export async function readDeferred({ data, errors, deferred }: ExecutionResult): Promise<DeferredOutcome> {
  const events: DeferredEvent[] = [];
  if (deferred !== undefined) {
    events.push({ announced: deferred.pending, completed: [] });
    for await (const { completed, pending } of deferred.batches) {
      events.push({ announced: pending, completed });
    }
  }
  return { first: { data, errors }, events };
}

/** The data as Apollo Client has it after the first result and after each event, by each of its two handlers. */
export function mergedByApolloClient(
  { first, events }: DeferredOutcome,
  query: DocumentNode,
): { readonly legacy: readonly unknown[]; readonly alpha9: readonly unknown[] } {
  const completions = events.filter(({ completed }) => completed.length > 0);
  const start = { data: JSON.parse(first.data) as object, ...errorsOf(first.errors), hasNext: true };
  const legacy = new Defer20220824Handler().startRequest({ query });
  const ids = new Map<DeferredFragment, string>();
  const pendingOf = (fragments: readonly DeferredFragment[]) =>
    fragments.map((fragment) => {
      ids.set(fragment, String(ids.size));
      return { ...placeOf(fragment), id: idOf(fragment) };
    });
  const idOf = (fragment: DeferredFragment): string => ids.get(fragment) ?? 'unknown';
  const alpha9 = new GraphQL17Alpha9Handler().startRequest({ query: withLabels(query) });
  const [announcement] = events;
  return {
    legacy: snapshots(legacy, [
      start,
      ...completions.map(({ completed }) => ({
        hasNext: true,
        incremental: completed.map(({ fragment, data, errors }) => ({
          ...placeOf(fragment),
          data: JSON.parse(data) as object | null,
          ...errorsOf(errors),
        })),
      })),
      { hasNext: false },
    ]),
    alpha9: snapshots(alpha9, [
      { ...start, pending: pendingOf(announcement?.announced ?? []) },
      ...completions.map(({ completed, announced }) => ({
        hasNext: true,
        pending: pendingOf(announced),
        incremental: completed.flatMap(({ fragment, data, errors }) =>
          data === 'null'
            ? []
            : [{ id: idOf(fragment), data: JSON.parse(data) as object, ...errorsOf(errors) }],
        ),
        completed: completed.map(({ fragment, data, errors }) => ({
          id: idOf(fragment),
          ...(data === 'null' && errorsOf(errors)),
        })),
      })),
      { hasNext: false },
    ]),
  };
}

/**
 * The fragments whose data was not all there when they were announced.
 *
 * @param states the merged data after the first result and after each completion, without errors
 */
export function addingFragments(
  { events }: DeferredOutcome,
  states: readonly unknown[],
): readonly DeferredFragment[] {
  const parts = new Map(
    events.flatMap(({ completed }) => completed.map(({ fragment, data }) => [fragment, data])),
  );
  let completions = 0;
  return events.flatMap(({ announced, completed }) => {
    completions += completed.length > 0 ? 1 : 0;
    const state = states[completions];
    return announced.filter((fragment) => {
      const there = fragment.path.reduce<unknown>((value, key) => Reflect.get(value as object, key), state);
      return changeOf(JSON.parse(parts.get(fragment) ?? 'null'), there, false) !== undefined;
    });
  });
}

/** Apollo Client labels each `@defer` before it sends an operation. */
function withLabels(query: DocumentNode): DocumentNode {
  return visit(query, {
    Directive: (node) =>
      node.name.value === 'defer' && node.arguments?.some(({ name }) => name.value === 'label') !== true
        ? { ...node, arguments: [...(node.arguments ?? []), labelArgument] }
        : undefined,
  });
}

const labelArgument: ConstArgumentNode = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'label' },
  value: { kind: Kind.STRING, value: 'none' },
};

interface Merging {
  handle(previous: never, chunk: never): { readonly data?: unknown };
}

/** A handler gets its own last data, and changes none of it. */
function snapshots(request: Merging, chunks: readonly object[]): readonly unknown[] {
  let data: unknown;
  return chunks.map((chunk) => {
    data = request.handle(data as never, chunk as never).data;
    return data;
  });
}

function placeOf({ label, path }: DeferredFragment): { path: (string | number)[]; label?: string } {
  return { path: [...path], ...(label !== undefined && { label }) };
}

function errorsOf(errors: readonly ExecutionError[]): { errors?: { message: string }[] } {
  return errors.length === 0 ? {} : { errors: errors.map(({ kind }) => ({ message: kind })) };
}

/**
 * The first place where data that was delivered has changed since; undefined if it has only grown.
 *
 * @param mayDisagree true where two responses may have different values, and lists of different length: the later holds
 */
export function changeOf(
  before: unknown,
  after: unknown,
  mayDisagree: boolean,
  path = '',
): string | undefined {
  if (Array.isArray(before)) {
    if (!Array.isArray(after)) {
      return `${path}: a list became ${JSON.stringify(after)}`;
    }
    if (after.length !== before.length) {
      return mayDisagree ? undefined : `${path}: a list became longer or shorter`;
    }
    return firstOf(before, (item, index) => changeOf(item, after[index], mayDisagree, `${path}.${index}`));
  }
  if (typeof before === 'object' && before !== null) {
    return typeof after === 'object' && after !== null && !Array.isArray(after)
      ? firstOf(Object.entries(before), ([key, value]) =>
          changeOf(value, Reflect.get(after, key), mayDisagree, `${path}.${key}`),
        )
      : `${path}: an object became ${JSON.stringify(after)}`;
  }
  const isDisagreement = mayDisagree && before !== null && after !== null;
  return Object.is(before, after) || isDisagreement
    ? undefined
    : `${path}: ${String(before)} became ${JSON.stringify(after)}`;
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
