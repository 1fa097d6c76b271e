import { createHash, randomUUID } from 'node:crypto';

import { queryHash } from '@meridian/manifest';

import type { DurationCounts } from './durations.ts';
import { sumOfCounts } from './durations.ts';
import { fieldsOfOperation } from './fields-of-operation.ts';
import { inputsOfOperation } from './inputs-of-operation.ts';
import type { CountedOperation, UsageCount } from './usage-counter.ts';

/** Counts that are written together, exactly once. */
export interface UsageBatch {
  readonly id: string;
  readonly operations: readonly UsedOperation[];
  readonly usage: readonly OperationUsage[];
}

export interface UsedOperation {
  /**
   * Identifies its content: its name and its fields, its text when that is in a manifest, and its graph of several. In
   * hexadecimal digits.
   */
  readonly id: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  /** Of several; absent where the process has one. */
  readonly graph?: string | undefined;
  readonly fields: readonly string[];
  /** Of one of a manifest. */
  readonly queryHash?: string | undefined;
}

export interface OperationUsage {
  readonly day: string;
  readonly operationId: string;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly requests: number;
  readonly failed: number;
  readonly cost: number;
  readonly durations: DurationCounts;
  /**
   * Input objects, input fields (`Input.field`) and enum values (`Enum.VALUE`) that were sent, in the operation or in
   * variables.
   */
  readonly inputs: readonly string[];
}

/** Computes what is known of each operation, once for as long as the operation is cached. */
export type DescribeOperation = (count: UsageCount) => DescribedOperation;

export interface DescribedOperation extends UsedOperation {
  /** Input objects, input fields and enum values that are written in it. */
  readonly inputs: readonly string[];
}

export function createDescribeOperation(graph?: string): DescribeOperation {
  const known = new WeakMap<CountedOperation, DescribedOperation>();
  return ({ operation, schema }) => {
    const found = known.get(operation);
    if (found !== undefined) {
      return found;
    }
    const name = operation.name ?? '';
    const fields = fieldsOfOperation(schema, operation.document);
    const listedText =
      operation.source?.isFromManifest === true ? queryHash(operation.source.text) : undefined;
    const id = createHash('sha256')
      .update(
        JSON.stringify([name, fields, ...(listedText === undefined ? [] : [listedText])]) + (graph ?? ''),
      )
      .digest('hex');
    const inputs = inputsOfOperation(schema, operation.document);
    const described = { id, name, graph, fields, inputs, queryHash: listedText };
    known.set(operation, described);
    return described;
  };
}

/** Makes a batch of counts, with one entry for each operation, client and day. */
export function usageBatch(counts: readonly UsageCount[], describe: DescribeOperation): UsageBatch {
  const operations = new Map<string, UsedOperation>();
  const usage = new Map<string, OperationUsage>();
  for (const count of counts) {
    const { day, client, requests, failed, cost, durations, inputs } = count;
    const operation = describe(count);
    operations.set(operation.id, operation);
    const key = JSON.stringify([day, operation.id, client.name, client.version]);
    const known = usage.get(key);
    usage.set(key, {
      day,
      operationId: operation.id,
      clientName: client.name,
      clientVersion: client.version,
      requests: requests + (known?.requests ?? 0),
      failed: failed + (known?.failed ?? 0),
      cost: cost + (known?.cost ?? 0),
      durations: sumOfCounts(durations, known?.durations ?? []),
      inputs: [...new Set([...operation.inputs, ...inputs, ...(known?.inputs ?? [])])].toSorted(),
    });
  }
  return { id: randomUUID(), operations: [...operations.values()], usage: [...usage.values()] };
}

/** The number of requests in a batch. */
export function requestsIn({ usage }: UsageBatch): number {
  return usage.reduce((sum, { requests }) => sum + requests, 0);
}
