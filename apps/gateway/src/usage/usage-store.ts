import type { Statements } from '@meridian/database/statements';

import type { UsageBatch } from './usage-batch.ts';

/** Stores which operations were run, by day. It has no tenant: it is about the schema, not about a tenant's data. */
export function createUsageStore(database: Statements) {
  return {
    /** Adds a batch; one that was added before is not added again. */
    async record({ id, operations, usage }: UsageBatch, signal: AbortSignal): Promise<void> {
      const rows = usage.map(({ operationId, clientName, clientVersion, ...counts }) => ({
        ...counts,
        id: operationId,
        client_name: clientName,
        client_version: clientVersion,
      }));
      const described = operations.map(({ id: operationId, name, graph, fields, queryHash }) => ({
        id: operationId,
        name,
        graph,
        fields,
        text_key: queryHash,
      }));
      await database.query(
        'select record_usage($1, $2::jsonb, $3::jsonb)',
        [id, JSON.stringify(described), JSON.stringify(rows)],
        { signal },
      );
    },
    /** Deletes records that are older than this many days. */
    async forget(keptDays: number): Promise<void> {
      await database.query('select forget_usage($1)', [keptDays]);
    },
  };
}

export type UsageStore = ReturnType<typeof createUsageStore>;
