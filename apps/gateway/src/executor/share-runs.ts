import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '@meridian/auth';
import { Flight } from '@meridian/executor';
import { Kind, OperationTypeNode } from 'graphql';

import type { ExecutableOperation, ExecutionResult, Executor, PreparedOperation, Run } from './executor.ts';

/** The header fields that subgraphs get of a client's, of one subgraph after the other. */
export type ForwardedFields = (source: {
  readonly operation: ExecutableOperation;
  readonly run: Run;
}) => readonly Fields[];

type Fields = Readonly<Record<string, string>>;

/** What a subgraph, or this gateway, can base its authorization on. */
interface Asker {
  readonly caller: Caller | undefined;
  readonly forwarded: readonly Fields[];
}

/** A run that is under way. */
interface SharedRun {
  readonly asker: Asker;
  readonly flight: Flight<ExecutionResult>;
}

/**
 * Runs equal queries that are in flight at the same time once. Equal means the same operation, variables, caller and forwarded
 * header fields: everything that authorization can depend on.
 *
 * Spec: Authentication, rule 5. Contract: Gateway, "Subgraph traffic".
 */
export function shareRuns(executor: Executor, forwardedFields: ForwardedFields): Executor {
  return {
    prepare(operation) {
      const prepared = executor.prepare(operation);
      return isQuery(operation)
        ? { ...prepared, run: shareRunsOf(prepared, (run) => forwardedFields({ operation, run })) }
        : prepared;
    },
    close: () => executor.close(),
  };
}

/** Shares the runs of one operation. */
function shareRunsOf(
  prepared: PreparedOperation,
  forwardedOf: (run: Run) => readonly Fields[],
): PreparedOperation['run'] {
  // By their variables. Tokens are compared, and never become part of a text: whoever shares a run does little else.
  const underWay = new Map<string, readonly SharedRun[]>();

  const takeOff = (variables: string, asker: Asker, run: Run): Flight<ExecutionResult> => {
    const flight = new Flight(
      (signal) => prepared.run({ ...run, signal }),
      () => land(variables, shared),
    );
    const shared: SharedRun = { asker, flight };
    underWay.set(variables, [...(underWay.get(variables) ?? []), shared]);
    return flight;
  };
  const land = (variables: string, shared: SharedRun): void => {
    const others = underWay.get(variables)?.filter((one) => one !== shared) ?? [];
    if (others.length > 0) {
      underWay.set(variables, others);
    } else {
      underWay.delete(variables);
    }
  };

  return (run) => {
    if (run.signal.aborted) {
      return Promise.reject(run.signal.reason);
    }
    const variables = JSON.stringify(run.variables);
    const asker = { caller: run.caller, forwarded: forwardedOf(run) };
    const same = underWay.get(variables)?.find((one) => isSame(one.asker, asker));
    return (same?.flight ?? takeOff(variables, asker, run)).board(run.signal);
  };
}

function isSame(one: Asker, other: Asker): boolean {
  return (
    isSameCaller(one.caller, other.caller) &&
    one.forwarded.every((fields, index) => hasSameFields(fields, other.forwarded[index] ?? {}))
  );
}

/** The callers of one token are mostly one object; those of two tokens may still be the same caller. */
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
