import type { IncomingHttpHeaders } from 'node:http';

import type { DocumentNode, GraphQLSchema } from 'graphql';

import type { ClientIdentity } from '../telemetry/client-of.ts';
import { clientOf } from '../telemetry/client-of.ts';

/** An operation that is counted; equal operations of one compiler are the same object. */
export interface CountedOperation {
  readonly name: string | undefined;
  readonly document: DocumentNode;
}

/** How often a client sent an operation on a day. */
export interface UsageCount {
  /** In UTC, as `2026-01-31`. */
  readonly day: string;
  readonly operation: CountedOperation;
  readonly schema: GraphQLSchema;
  readonly client: ClientIdentity;
  readonly requests: number;
}

/** Counts a request that runs an operation. */
export type CountUsage = (
  operation: CountedOperation,
  schema: GraphQLSchema,
  headers: IncomingHttpHeaders,
) => void;

/** Counts in memory what operations run, for the time until somebody takes the counts. */
export interface UsageCounter {
  /** What every request pays: two look-ups and an addition. */
  readonly count: CountUsage;
  /** The counts so far, which start anew. */
  take(): readonly UsageCount[];
}

export interface UsageCounterOptions {
  /** How many counts are kept; what would need another is dropped. */
  readonly maxCounts: number;
  readonly onDropped: (requests: number) => void;
}

interface Count {
  readonly client: ClientIdentity;
  requests: number;
}

interface OperationCounts {
  readonly schema: GraphQLSchema;
  readonly byClient: Map<string, Count>;
}

const dayMs = 86_400_000;

export function createUsageCounter({ maxCounts, onDropped }: UsageCounterOptions): UsageCounter {
  let today = Math.floor(Date.now() / dayMs);
  let counts = new Map<CountedOperation, OperationCounts>();
  let kept = 0;
  let ofEarlierDays: readonly UsageCount[] = [];

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
  ): void => {
    if (kept >= maxCounts) {
      onDropped(1);
      return;
    }
    kept += 1;
    const ofOperation = counts.get(operation) ?? { schema, byClient: new Map<string, Count>() };
    ofOperation.byClient.set(key, { client, requests: 1 });
    counts.set(operation, ofOperation);
  };

  return {
    count(operation, schema, headers) {
      const day = Math.floor(Date.now() / dayMs);
      if (day !== today) {
        closeDay();
        today = day;
      }
      const client = clientOf(headers);
      const key = `${client.name}\n${client.version}`;
      const count = counts.get(operation)?.byClient.get(key);
      if (count === undefined) {
        addCount(operation, schema, client, key);
      } else {
        count.requests += 1;
      }
    },
    take() {
      closeDay();
      const taken = ofEarlierDays;
      ofEarlierDays = [];
      kept = 0;
      return taken;
    },
  };
}
