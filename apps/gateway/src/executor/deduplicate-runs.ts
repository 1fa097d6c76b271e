import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '@meridian/auth';
import { createSingleFlight } from '@meridian/executor';
import { Kind, OperationTypeNode } from 'graphql';

import type { ExecutableOperation } from '../operation/executable-operation.ts';
import type { ExecutionResult, Executor, PreparedOperation, Run } from './executor.ts';

/** The client's header fields that subgraphs get, one subgraph after another. */
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
 * Runs equal queries that are in flight at the same time once. Equal means the same operation, variables, caller and
 * forwarded header fields: everything that authorization can depend on. A query that arrives after a mutation has ended
 * never joins one that started before: clients of this process read their own writes.
 *
 * Spec: Authentication, rule 5. Contract: Gateway, "Subgraph traffic".
 */
export function deduplicateRuns(executor: Executor, forwardedFields: ForwardedFields): Executor {
  let endedMutations = 0;
  return {
    prepare(operation) {
      const prepared = executor.prepare(operation);
      if (!isQuery(operation)) {
        const run: PreparedOperation['run'] = async (mutation) => {
          try {
            return await prepared.run(mutation);
          } finally {
            endedMutations += 1;
          }
        };
        return { ...prepared, run };
      }
      const flights = deduplicateRunsOf(prepared, (run) => forwardedFields({ operation, run }));
      return { ...prepared, run: (run) => flights(run, endedMutations) };
    },
    close: () => executor.close(),
  };
}

/** Deduplicates the runs of one operation. */
function deduplicateRunsOf(
  prepared: PreparedOperation,
  forwardedOf: (run: Run) => readonly Fields[],
): (run: Run, endedMutations: number) => Promise<ExecutionResult> {
  // Tokens are compared and never become part of a string: a deduplicated run does little else.
  const flights = createSingleFlight<RequestIdentity, ExecutionResult>(isSame);
  return (run, endedMutations) => {
    const asker = { caller: run.caller, forwarded: forwardedOf(run) };
    const key = `${endedMutations}\n${principalOf(run.caller)}\n${JSON.stringify(run.variables)}`;
    return flights.join(key, asker, run.signal, (signal) => prepared.run({ ...run, signal }));
  };
}

/** Tells most callers apart, so that few are compared: a thousand users may send one query at the same time. */
function principalOf(caller: Caller | undefined): string {
  return caller === undefined ? '' : `${caller.tenantId}\n${caller.subject}`;
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
