import type { Caller } from '@meridian/auth';
import { createFlights } from '@meridian/executor';
import { Kind, OperationTypeNode } from 'graphql';

import type { ExecutableOperation, ExecutionResult, Executor, Run } from './executor.ts';

/** The header fields that subgraphs get of a client's, of all of them. */
export type ForwardedFields = (source: { operation: ExecutableOperation; run: Run }) => unknown;

/**
 * Runs equal queries that are in flight at the same time once. Equal means the same operation, variables, caller and forwarded
 * header fields: everything that a subgraph, or this gateway, can base its authorization on.
 *
 * Spec: Authentication, rule 5. Contract: Gateway, "Subgraph traffic".
 */
export function shareRuns(executor: Executor, forwardedFields: ForwardedFields): Executor {
  const flights = createFlights<ExecutionResult>();
  return {
    prepare(operation) {
      const prepared = executor.prepare(operation);
      return isQuery(operation)
        ? {
            ...prepared,
            run: async (run) =>
              await flights.board(
                keyOf(operation, run, forwardedFields({ operation, run })),
                run.signal,
                async (signal) => await prepared.run({ ...run, signal }),
              ),
          }
        : prepared;
    },
    close: () => executor.close(),
  };
}

function keyOf({ key }: ExecutableOperation, { variables, caller }: Run, forwarded: unknown): string {
  return JSON.stringify([key, variables, caller === undefined ? null : identityOf(caller), forwarded]);
}

function identityOf({ issuer, subject, tenantId, scopes, policies = new Set() }: Caller): unknown {
  return [issuer, subject, tenantId, sorted(scopes), sorted(policies)];
}

function sorted(names: ReadonlySet<string>): readonly string[] {
  return [...names].toSorted();
}

function isQuery({ document }: ExecutableOperation): boolean {
  return document.definitions.every(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION || definition.operation === OperationTypeNode.QUERY,
  );
}
