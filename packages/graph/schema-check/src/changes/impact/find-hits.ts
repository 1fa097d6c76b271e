import type { GraphQLSchema } from 'graphql';

import type { Change, Details } from '../change.ts';
import { changeOf } from '../change.ts';
import type { ChangeKind } from '../kinds.ts';
import { faultyElements, isCause } from './faulty-elements.ts';
import type { Hit, KnownOperation, ReadOperation } from './known-operation.ts';
import type { CheckedOperation } from './hit-rules.ts';
import { hitOf } from './hit-rules.ts';
import { operationErrors } from './validate-operation.ts';

/** A change, with the operations that it concerns. */
export interface ChangeWithHits extends Change {
  readonly hits: readonly Hit[];
}

/** A change of an operation, which it concerns: it is no longer valid, or as `how` says. */
export function operationChange(
  kind: ChangeKind,
  operation: KnownOperation,
  details: Details,
  how: Hit['how'] = 'invalid',
): ChangeWithHits {
  return {
    ...changeOf(kind, `operation ${operation.name}`, details),
    hits: [{ operation, how, isCertain: true }],
  };
}

export function withoutHits(change: Change): ChangeWithHits {
  return { ...change, hits: [] };
}

/** The API schemas without the changes and with them. */
export interface ChangedSchema {
  readonly before: GraphQLSchema;
  readonly after: GraphQLSchema;
}

/**
 * Finds the operations that changes concern. Each operation is validated over the changed schema, whatever the changes
 * are about. One that no longer validates for a reason beyond any single change, such as fields that no longer merge, is
 * a change of its own.
 */
export function findHits(
  changes: readonly Change[],
  operations: readonly ReadOperation[],
  schemas: ChangedSchema,
): readonly ChangeWithHits[] {
  const hits = new Map<Change, Hit[]>(changes.map((change) => [change, []]));
  const byName = Map.groupBy(
    changes.flatMap((change) => namesIn(change).map((name) => ({ name, change }))),
    ({ name }) => name,
  );
  const unexplained: ChangeWithHits[] = [];
  for (const operation of operations) {
    const faults = faultsOf(operation, schemas);
    const checked = { ...operation, faults };
    let unexplainedFaults = faults ?? [];
    for (const change of changesFor(operation, byName)) {
      const hit = hitOf(change, checked);
      if (hit !== undefined) {
        hits.get(change)?.push(hit);
      }
      // Others pass: they would hide what they explain.
      if (hit?.how === 'invalid' && change.level === 'breaking') {
        unexplainedFaults = unexplainedFaults.filter((fault) => !isCause(change, fault, operation.facts));
      }
    }
    if (unexplainedFaults.length > 0) {
      const after = unexplainedFaults.map(({ message }) => message).join(' ');
      const { key: before } = operation.operation;
      unexplained.push(
        operationChange('OPERATION_INVALID', operation.operation, { before, after, detail: after }),
      );
    }
  }
  return [...changes.map((change) => ({ ...change, hits: hits.get(change) ?? [] })), ...unexplained];
}

/** Undefined where the text of the operation is not known. */
function faultsOf({ document }: ReadOperation, { before, after }: ChangedSchema): CheckedOperation['faults'] {
  if (document === undefined) {
    return undefined;
  }
  const errors = operationErrors(after, document);
  const elements = errors.length === 0 ? [] : faultyElements(before, document, errors);
  return errors.flatMap(({ message }, index) => {
    const ofError = elements[index];
    return ofError === undefined ? [] : [{ message, ...ofError }];
  });
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
