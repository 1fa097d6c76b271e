import type { IncomingHttpHeaders } from 'node:http';

import type { DocumentNode, GraphQLSchema } from 'graphql';

import type { ClientIdentity } from '../http/client-of.ts';
import type { OperationSource } from '../operation/operation-source.ts';
import { clientOf } from '../http/client-of.ts';
import type { Variables } from '../operation/admitted-operation.ts';
import { addDuration } from './durations.ts';
import type { ReadInputs } from './read-inputs.ts';
import { createReadInputs } from './read-inputs.ts';

/** An operation that is counted; equal operations of one compiler are the same object. */
export interface CountedOperation {
  readonly name: string | undefined;
  readonly document: DocumentNode;
  /** Absent for an operation outside the manifest. */
  readonly source?: OperationSource;
}

/** The outcome of a request that ran an operation. */
export interface RunOutcome {
  readonly durationMs: number;
  /** True when it had errors, with or without data. */
  readonly isFailed: boolean;
  /** The estimated one. */
  readonly cost: number;
  /** As the client sent them. */
  readonly variables: Variables;
}

/** The requests of a client for an operation. */
interface Count {
  readonly client: ClientIdentity;
  requests: number;
  failed: number;
  /** The sum over the requests. */
  cost: number;
  readonly durations: number[];
  /** The coordinates of what variables held: input objects, input fields, enum values. */
  readonly inputs: Set<string>;
}

/** The requests of a client for an operation on a day. */
export interface UsageCount extends Readonly<Count> {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  readonly operation: CountedOperation;
  readonly schema: GraphQLSchema;
}

interface OperationCounts {
  readonly schema: GraphQLSchema;
  readonly readInputs: ReadInputs | undefined;
  readonly byClient: Map<string, Count>;
}

const dayMs = 86_400_000;

/**
 * Counts operations in memory until they are written.
 *
 * @param maxCounts further ones are dropped
 */
export function createUsageCounter(maxCounts: number, onDropped: (requests: number) => void) {
  let today = Math.floor(Date.now() / dayMs);
  let counts = new Map<CountedOperation, OperationCounts>();
  let kept = 0;
  let ofEarlierDays: UsageCount[] = [];
  // Outlives the counts, which are written every few seconds.
  const readers = new WeakMap<CountedOperation, { readonly readInputs: ReadInputs | undefined }>();

  const closeDay = (): void => {
    const day = new Date(today * dayMs).toISOString().slice(0, 10);
    for (const [operation, { schema, byClient }] of counts) {
      byClient.forEach((count) => ofEarlierDays.push({ day, operation, schema, ...count }));
    }
    counts = new Map();
  };

  const addCount = (
    operation: CountedOperation,
    schema: GraphQLSchema,
    client: ClientIdentity,
    key: string,
  ): Count | undefined => {
    if (kept >= maxCounts) {
      onDropped(1);
      return undefined;
    }
    kept += 1;
    const reader = readers.get(operation) ?? { readInputs: createReadInputs(schema, operation.document) };
    readers.set(operation, reader);
    const ofOperation = counts.get(operation) ?? { schema, ...reader, byClient: new Map<string, Count>() };
    const count = { client, requests: 0, failed: 0, cost: 0, durations: [], inputs: new Set<string>() };
    ofOperation.byClient.set(key, count);
    counts.set(operation, ofOperation);
    return count;
  };

  return {
    /**
     * Counts a request that ran an operation. The cost for every one: two look-ups and four additions; and a look at each
     * value of the variables that may hold input objects or enum values.
     */
    count: (
      operation: CountedOperation,
      schema: GraphQLSchema,
      headers: IncomingHttpHeaders,
      { durationMs, isFailed, cost, variables }: RunOutcome,
    ): void => {
      const day = Math.floor(Date.now() / dayMs);
      if (day !== today) {
        closeDay();
        today = day;
      }
      const client = clientOf(headers);
      const key = `${client.name}\n${client.version}`;
      const known = counts.get(operation);
      const count = known?.byClient.get(key) ?? addCount(operation, schema, client, key);
      if (count !== undefined) {
        count.requests += 1;
        count.failed += isFailed ? 1 : 0;
        count.cost += cost;
        addDuration(count.durations, durationMs);
        (known ?? counts.get(operation))?.readInputs?.(variables, count.inputs);
      }
    },
    /** The counts so far, which start anew. */
    take(): readonly UsageCount[] {
      closeDay();
      const counted = ofEarlierDays;
      ofEarlierDays = [];
      kept = 0;
      return counted;
    },
  };
}
