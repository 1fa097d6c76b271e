import { createHash, randomUUID } from 'node:crypto';

import { fieldsOfOperation } from './fields-of-operation.ts';
import type { CountedOperation, UsageCount } from './usage-counter.ts';

/** Counts that are written together, once. */
export interface UsageBatch {
  readonly id: string;
  readonly operations: readonly UsedOperation[];
  readonly usage: readonly OperationUsage[];
}

export interface UsedOperation {
  /** Stands for what it asks for: its name and its fields, in hexadecimal digits. */
  readonly id: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  readonly fields: readonly string[];
}

export interface OperationUsage {
  readonly day: string;
  readonly operationId: string;
  readonly clientName: string;
  readonly clientVersion: string;
  readonly requests: number;
}

/** Works out the fields of each operation, once for as long as the operation is kept. */
export type DescribeOperation = (count: UsageCount) => UsedOperation;

export function createDescribeOperation(): DescribeOperation {
  const known = new WeakMap<CountedOperation, UsedOperation>();
  return ({ operation, schema }) => {
    const found = known.get(operation);
    if (found !== undefined) {
      return found;
    }
    const name = operation.name ?? '';
    const fields = fieldsOfOperation(schema, operation.document);
    const id = createHash('sha256')
      .update(JSON.stringify([name, fields]))
      .digest('hex');
    const described = { id, name, fields };
    known.set(operation, described);
    return described;
  };
}

/** Makes a batch of counts; those of the same operation, client and day become one. */
export function usageBatch(counts: readonly UsageCount[], describe: DescribeOperation): UsageBatch {
  const operations = new Map<string, UsedOperation>();
  const usage = new Map<string, OperationUsage>();
  for (const count of counts) {
    const { day, client, requests } = count;
    const operation = describe(count);
    operations.set(operation.id, operation);
    const key = JSON.stringify([day, operation.id, client.name, client.version]);
    usage.set(key, {
      day,
      operationId: operation.id,
      clientName: client.name,
      clientVersion: client.version,
      requests: requests + (usage.get(key)?.requests ?? 0),
    });
  }
  return { id: randomUUID(), operations: [...operations.values()], usage: [...usage.values()] };
}

/** How many requests a batch stands for. */
export function requestsIn({ usage }: UsageBatch): number {
  return usage.reduce((sum, { requests }) => sum + requests, 0);
}
