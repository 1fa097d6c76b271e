import { isDeepStrictEqual } from 'node:util';

import type { Caller } from '@meridian/auth';
import { createSingleFlight } from '@meridian/executor';

import type { AdmittedOperation } from '../operation/admitted-operation.ts';
import type { RunInterceptor, RunResult } from '../operation/run.ts';
import type { ForwardedFields } from '../subgraphs/header-rules.ts';

type Fields = Readonly<Record<string, string>>;

/** Everything on which a subgraph, or this gateway, can base its authorization, and the operation. */
interface RunIdentity {
  readonly operation: AdmittedOperation;
  readonly caller: Caller | undefined;
  readonly forwarded: readonly Fields[];
}

/**
 * Runs equal queries that are in flight at the same time once. Equal means the same operation, variables, labels of
 * overrides, caller and forwarded header fields: everything that authorization can depend on. A query that arrives after a mutation has ended
 * never joins one that started before: clients of this process read their own writes.
 *
 * Spec: Authentication, rule 5. Contract: Gateway, "Subgraph traffic".
 *
 * @param forwarded the header fields that subgraphs get, one subgraph after another
 */
export function deduplicateRuns(forwarded: readonly ForwardedFields[]): RunInterceptor {
  // Tokens are compared and never become part of a string: a deduplicated run does little else.
  const flights = createSingleFlight<RunIdentity, RunResult>(isSame);
  let endedMutations = 0;
  return (run, next) => {
    const { operation } = run;
    if (operation.type !== 'query') {
      return next(run).finally(() => (endedMutations += 1));
    }
    if (operation.defers !== undefined) {
      // Its parts are read once.
      return next(run);
    }
    const labels = run.overrideLabels === undefined ? '' : `\n${[...run.overrideLabels].join(' ')}`;
    const key = `${endedMutations}\n${principalOf(run.identity)}\n${operation.key}${labels}\n${JSON.stringify(run.variables)}`;
    const identity = {
      operation,
      caller: run.identity,
      forwarded: forwarded.map((fieldsOf) => fieldsOf(run)),
    };
    return flights.join(key, identity, run.signal, (signal) => next({ ...run, signal }));
  };
}

/** Tells most callers apart, so that few are compared: a thousand users may send one query at the same time. */
function principalOf(caller: Caller | undefined): string {
  return caller === undefined ? '' : `${caller.tenantId}\n${caller.subject}`;
}

function isSame(one: RunIdentity, other: RunIdentity): boolean {
  return (
    one.operation === other.operation &&
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
