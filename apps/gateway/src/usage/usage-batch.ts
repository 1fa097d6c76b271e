import { hash, randomUUID } from 'node:crypto';

import { queryHash } from '@meridian/manifest';

import type { DurationCounts } from './durations.ts';
import { sumOfCounts } from './durations.ts';
import type { OperationElements } from './elements-of-operation.ts';
import { elementsOfOperation } from './elements-of-operation.ts';
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

export interface OperationUsage extends Pick<UsageCount, 'day' | 'requests' | 'failed' | 'cost'> {
  readonly operationId: string;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly durations: DurationCounts;
  /**
   * Input objects, input fields (`Input.field`) and enum values (`Enum.VALUE`) that were sent, in the operation or in
   * variables.
   */
  readonly inputs: readonly string[];
}

/** Describes the operation of a count, computed once for as long as the operation is cached. */
export type DescribeOperation = (count: UsageCount) => UsedOperation & OperationElements;

export function createDescribeOperation(graph?: string): DescribeOperation {
  const known = new WeakMap<CountedOperation, UsedOperation & OperationElements>();
  return ({ operation, schema }) => {
    const found = known.get(operation);
    if (found !== undefined) {
      return found;
    }
    const { document, source } = operation;
    const name = operation.name ?? '';
    const elements = elementsOfOperation(schema, document);
    const listedText = source?.isFromManifest === true ? queryHash(source.text) : undefined;
    const content = [name, elements.fields, ...(listedText === undefined ? [] : [listedText])];
    const id = hash('sha256', JSON.stringify(content) + (graph ?? ''));
    const described = { id, name, graph, ...elements, queryHash: listedText };
    known.set(operation, described);
    return described;
  };
}

/** Makes a batch of counts, with one entry for each operation, client and day. */
export function usageBatch(counts: readonly UsageCount[], describe: DescribeOperation): UsageBatch {
  const operations = new Map<string, UsedOperation>();
  const usage = new Map<string, OperationUsage>();
  for (const count of counts) {
    const { day, client, requests, failed, cost, durations } = count;
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
      inputs: [...new Set([...operation.inputs, ...count.inputs, ...(known?.inputs ?? [])])].toSorted(),
    });
  }
  return { id: randomUUID(), operations: [...operations.values()], usage: [...usage.values()] };
}

/** The number of requests in counts or usage. */
export function requestsIn(counted: readonly Pick<UsageCount, 'requests'>[]): number {
  return counted.reduce((sum, { requests }) => sum + requests, 0);
}
