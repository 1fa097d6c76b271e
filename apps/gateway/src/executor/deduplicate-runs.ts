import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '@meridian/auth';
import { createSingleFlight } from '@meridian/executor';
import { Kind, OperationTypeNode } from 'graphql';

import type { ExecutableOperation } from '../operation/executable-operation.ts';
import type { ExecutionResult, Executor, PreparedOperation, Run } from './executor.ts';

/** The header fields that subgraphs get of a client's, of one subgraph after the other. */
export type ForwardedFields = (source: {
  readonly operation: ExecutableOperation;
  readonly run: Run;
}) => readonly Fields[];

type Fields = Readonly<Record<string, string>>;

/** Everything on which a subgraph, or this gateway, can base its authorization. */
interface RequestIdentity {
  readonly caller: Caller | undefined;
  readonly forwarded: readonly Fields[];
}

/**
 * Runs equal queries that are in flight at the same time once. Equal means the same operation, variables, caller and forwarded
 * header fields: everything that authorization can depend on.
 *
 * Spec: Authentication, rule 5. Contract: Gateway, "Subgraph traffic".
 */
export function deduplicateRuns(executor: Executor, forwardedFields: ForwardedFields): Executor {
  return {
    prepare(operation) {
      const prepared = executor.prepare(operation);
      return isQuery(operation)
        ? { ...prepared, run: deduplicateRunsOf(prepared, (run) => forwardedFields({ operation, run })) }
        : prepared;
    },
    close: () => executor.close(),
  };
}

/** Shares the runs of one operation. */
function deduplicateRunsOf(
  prepared: PreparedOperation,
  forwardedOf: (run: Run) => readonly Fields[],
): PreparedOperation['run'] {
  // Tokens are compared and never become part of a string: a deduplicated run does little else.
  const flights = createSingleFlight<RequestIdentity, ExecutionResult>(isSame);
  return (run) => {
    const asker = { caller: run.caller, forwarded: forwardedOf(run) };
    return flights.join(JSON.stringify(run.variables), asker, run.signal, (signal) =>
      prepared.run({ ...run, signal }),
    );
  };
}

function isSame(one: RequestIdentity, other: RequestIdentity): boolean {
  return (
    isSameCaller(one.caller, other.caller) &&
    one.forwarded.every((fields, index) => hasSameFields(fields, other.forwarded[index] ?? {}))
  );
}

/** Callers with the same token are mostly one object. Callers with different tokens may still be equal. */
function isSameCaller(one: Caller | undefined, other: Caller | undefined): boolean {
  return (
    one === other ||
    (one !== undefined && other !== undefined && isDeepStrictEqual(identityOf(one), identityOf(other)))
  );
}

function identityOf({ issuer, subject, tenantId, scopes, policies = new Set() }: Caller): unknown {
  return [issuer, subject, tenantId, scopes, policies];
}

function hasSameFields(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name]);
}

function isQuery({ document }: ExecutableOperation): boolean {
  return document.definitions.every(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === OperationTypeNode.QUERY,
  );
}
