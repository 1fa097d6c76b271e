import type { Change } from '../change.ts';
import { changeOf } from '../change.ts';
import type { Graph } from '../graph.ts';
import type { Hit } from './hit.ts';
import { hitOf } from './hit-rules.ts';
import type { KnownOperation } from './known-operation.ts';
import type { ReadOperation } from './read-operation.ts';
import { readOperation } from './read-operation.ts';
import { operationErrors } from './validate-operation.ts';

/** A change, with the operations that it concerns. */
export interface ChangeWithHits extends Change {
  readonly hits: readonly Hit[];
}

/**
 * Finds the operations that changes concern. An operation that no longer validates for a reason beyond any single
 * change, such as fields that no longer merge, is a change of its own.
 */
export function findHits(
  changes: readonly Change[],
  operations: readonly KnownOperation[],
  before: Graph,
  after: Graph,
): readonly ChangeWithHits[] {
  const read = operations.flatMap((operation) => readOperation(before.supergraph.apiSchema, operation) ?? []);
  return hitsOfRead(changes, read, after);
}

/** The same, for operations that are read already. */
export function hitsOfRead(
  changes: readonly Change[],
  operations: readonly ReadOperation[],
  after: Graph,
): readonly ChangeWithHits[] {
  const hits = new Map<Change, Hit[]>(changes.map((change) => [change, []]));
  const byName = Map.groupBy(
    changes.flatMap((change) => namesIn(change).map((name) => ({ name, change }))),
    ({ name }) => name,
  );
  const unexplained: ChangeWithHits[] = [];
  for (const operation of operations) {
    const concerned = changesFor(operation, byName);
    if (concerned.size === 0) {
      continue;
    }
    const errors = operation.document && operationErrors(after.supergraph.apiSchema, operation.document);
    const checked = { ...operation, isInvalid: errors && errors.length > 0 };
    let isExplained = false;
    for (const change of concerned) {
      const hit = hitOf(change, checked);
      if (hit !== undefined) {
        hits.get(change)?.push(hit);
        isExplained ||= hit.how === 'invalid';
      }
    }
    if (checked.isInvalid === true && !isExplained) {
      unexplained.push(invalidOperation(operation.operation, errors?.map(({ message }) => message) ?? []));
    }
  }
  return [...changes.map((change) => ({ ...change, hits: hits.get(change) ?? [] })), ...unexplained];
}

function invalidOperation(operation: KnownOperation, messages: readonly string[]): ChangeWithHits {
  const change = changeOf('OPERATION_INVALID', `operation ${operation.name}`, {
    before: operation.key,
    after: messages.join(' '),
  });
  return { ...change, hits: [{ operation, how: 'invalid', isCertain: true }] };
}

/** The names of types and directives that a change is about. It does not concern an operation without any of them. */
function namesIn({ kind, coordinate, before, after }: Change): readonly string[] {
  const [name = ''] = coordinate.split(/[.(]/u);
  const isMembership = kind.startsWith('UNION_MEMBER') || kind.startsWith('OBJECT_TYPE_INTERFACE');
  const member = isMembership ? (before ?? after) : undefined;
  return member === undefined ? [name] : [name, member];
}

type ChangesByName = ReadonlyMap<string, readonly { readonly change: Change }[]>;

function changesFor(
  { facts, document, operation }: ReadOperation,
  byName: ChangesByName,
): ReadonlySet<Change> {
  const found = new Set<Change>();
  const sent = document === undefined ? inputTypes(operation, byName) : [];
  for (const names of [facts.types, facts.variableTypes, facts.directives, sent, ['schema']]) {
    for (const name of names) {
      for (const { change } of byName.get(name) ?? []) {
        found.add(change);
      }
    }
  }
  return found;
}

/** The types that an operation without a text may send: those that usage recorded, or any. */
function inputTypes({ sentInputs }: KnownOperation, byName: ChangesByName): Iterable<string> {
  return sentInputs === undefined
    ? byName.keys()
    : new Set(Array.from(sentInputs, (name) => name.split('.')[0] ?? ''));
}
