import type { IncomingHttpHeaders } from 'node:http';

import type { DocumentNode, GraphQLSchema } from 'graphql';

import type { ClientIdentity } from '../http/client-of.ts';
import type { OperationSource } from '../operation/operation-source.ts';
import { clientOf } from '../http/client-of.ts';
import type { DurationCounts } from './durations.ts';
import type { Variables } from '../operation/compiled-operation.ts';
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

/** The number of requests by a client for an operation on a day. */
export interface UsageCount {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  readonly operation: CountedOperation;
  readonly schema: GraphQLSchema;
  readonly client: ClientIdentity;
  readonly requests: number;
  readonly failed: number;
  /** The sum over the requests. */
  readonly cost: number;
  readonly durations: DurationCounts;
  /** The coordinates of what variables held: input objects, input fields, enum values. */
  readonly inputs: ReadonlySet<string>;
}

/** Counts a request that ran an operation. */
export type CountUsage = (
  operation: CountedOperation,
  schema: GraphQLSchema,
  headers: IncomingHttpHeaders,
  outcome: RunOutcome,
) => void;

/** Counts operations in memory until they are written. */
export interface UsageCounter {
  /**
   * The cost for every request: two look-ups and four additions; and a look at each value of the variables that may
   * hold input objects or enum values.
   */
  readonly count: CountUsage;
  /** The counts so far, which start anew. */
  take(): readonly UsageCount[];
}

export interface UsageCounterOptions {
  /** The maximum of counts; further ones are dropped. */
  readonly maxCounts: number;
  readonly onDropped: (requests: number) => void;
}

interface Count {
  readonly client: ClientIdentity;
  requests: number;
  failed: number;
  cost: number;
  readonly durations: number[];
  readonly inputs: Set<string>;
}

interface OperationCounts {
  readonly schema: GraphQLSchema;
  readonly readInputs: ReadInputs | undefined;
  readonly byClient: Map<string, Count>;
}

const dayMs = 86_400_000;

export function createUsageCounter({ maxCounts, onDropped }: UsageCounterOptions): UsageCounter {
  let today = Math.floor(Date.now() / dayMs);
  let counts = new Map<CountedOperation, OperationCounts>();
  let kept = 0;
  let ofEarlierDays: readonly UsageCount[] = [];
  // Outlives the counts, which are written every few seconds.
  const readers = new WeakMap<CountedOperation, { readonly readInputs: ReadInputs | undefined }>();

  const closeDay = (): void => {
    const day = new Date(today * dayMs).toISOString().slice(0, 10);
    ofEarlierDays = ofEarlierDays.concat(
      Array.from(counts, ([operation, { schema, byClient }]) =>
        Array.from(byClient.values(), (count) => ({ day, operation, schema, ...count })),
      ).flat(),
    );
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
    count(operation, schema, headers, { durationMs, isFailed, cost, variables }) {
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
    take() {
      closeDay();
      const counted = ofEarlierDays;
      ofEarlierDays = [];
      kept = 0;
      return counted;
    },
  };
}
