import type { Statements } from '@meridian/database/statements';

import type { DurationCounts } from './durations.ts';
import type { ExportedUse } from './exported-uses.ts';
import { exportedUses } from './exported-uses.ts';

/** The recorded use of a field by one operation of one client. */
export interface FieldUse {
  /** `Type.field`, or what it sends: `Input`, `Input.field`, `Enum.VALUE`. */
  readonly field: string;
  /** Empty for an anonymous one. */
  readonly operation: string;
  /** Empty where the client did not say. */
  readonly clientName: string;
  readonly clientVersion: string;
  readonly requests: number;
  /** The last day on which it was used: `2026-01-31`. */
  readonly lastDay: string;
}

/** The recorded figures of an operation of a client. */
export interface OperationUse extends Omit<FieldUse, 'field'> {
  /** Requests whose outcome is known: without those that an earlier release recorded. */
  readonly measured: number;
  readonly failed: number;
  /** The sum of the estimated costs. */
  readonly cost: number;
  readonly durations: DurationCounts;
}

/** Restrictions of a query; absent members restrict nothing. */
export interface UsageFilter {
  /** As `Type.field`. */
  readonly fields?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly clientName?: string | undefined;
  readonly clientVersion?: string | undefined;
  /** Of several in one process. */
  readonly graph?: string | undefined;
}

/** The use of an operation of a manifest, by the key of its text. */
export interface IdentifierUse extends Omit<FieldUse, 'field'> {
  readonly queryHash: string;
}

/**
 * The SQL conditions of a filter, for usage `u`, operations `o` and fields `f`; its values are the second to
 * the seventh parameter.
 */
const ofFilter = {
  field: `($2::text[] is null or f.field = any ($2)) and ($3::text[] is null or split_part(f.field, '.', 1) = any ($3))`,
  use: `u.day > current_date - $1::integer and ($4::text[] is null or o.name = any ($4))
    and ($5::text is null or u.client_name = $5) and ($6::text is null or u.client_version = $6) and ($7::text is null or o.graph = $7)`,
};

function valuesOf(filter: UsageFilter): readonly unknown[] {
  const { fields, types, operations, clientName, clientVersion, graph } = filter;
  return [fields, types, operations, clientName, clientVersion, graph].map((value) => value ?? null);
}

/** Reads recorded usage. */
export function createUsageRecords(database: Statements) {
  return {
    /** The uses of fields in the last days, most used first. */
    uses: (days: number, filter: UsageFilter = {}): Promise<readonly FieldUse[]> =>
      database.query<FieldUse>(
        `select f.field, o.name as operation, u.client_name as "clientName", u.client_version as "clientVersion",
           sum(u.requests)::float8 as requests, max(u.day)::text as "lastDay"
         from operation_usage u
         join operations o on o.id = u.operation_id
         cross join lateral (
           select e.field::text as field from operation_fields e where e.operation_id = o.id
           union all
           select i.input from unnest(u.inputs) as i (input)
         ) f
         where ${ofFilter.use} and ${ofFilter.field}
         group by f.field, o.name, u.client_name, u.client_version
         order by f.field, sum(u.requests) desc, o.name, u.client_name, u.client_version`,
        [days, ...valuesOf(filter)],
        { readOnly: true },
      ),
    /** The figures of clients' operations in the last days, most used first. */
    operationUses: (days: number, filter: UsageFilter = {}): Promise<readonly OperationUse[]> =>
      database.query<OperationUse>(
        `select o.name as operation, u.client_name as "clientName", u.client_version as "clientVersion",
           sum(u.requests)::float8 as requests, max(u.day)::text as "lastDay", sum(u.failed)::float8 as failed,
           sum(u.cost)::float8 as cost, sum_counts(u.durations)::float8[] as durations,
           (select coalesce(sum(c), 0) from unnest(sum_counts(u.durations)) c)::float8 as measured
         from operation_usage u
         join operations o on o.id = u.operation_id
         where ${ofFilter.use} and (
           ($2::text[] is null and $3::text[] is null)
           or exists (select from operation_fields f where f.operation_id = o.id and ${ofFilter.field}))
         group by o.name, u.client_name, u.client_version
         order by u.client_name, sum(u.requests) desc, o.name, u.client_version`,
        [days, ...valuesOf(filter)],
        { readOnly: true },
      ),
    /** The uses of operations of manifests in the last days, by the keys of their texts. */
    identifierUses: (days: number, textKeys: readonly string[]): Promise<readonly IdentifierUse[]> =>
      database.query<IdentifierUse>(
        `select o.text_key as "queryHash", o.name as operation, u.client_name as "clientName",
           u.client_version as "clientVersion", sum(u.requests)::float8 as requests, max(u.day)::text as "lastDay"
         from operation_usage u
         join operations o on o.id = u.operation_id
         where u.day > current_date - $1::integer and o.text_key = any ($2)
         group by o.text_key, o.name, u.client_name, u.client_version
         order by o.text_key, max(u.day) desc, sum(u.requests) desc, u.client_name, u.client_version`,
        [days, textKeys],
        { readOnly: true },
      ),
    /** All uses of the last days, by operation. */
    exportedUses: (days: number, graph?: string): Promise<readonly ExportedUse[]> =>
      exportedUses(database, days, graph),
    /** For how many days there are records, today included; 0 where there are none. */
    async recordedDays(): Promise<number> {
      const [row] = await database.query<{ days: number | null }>(
        'select current_date - min(day) + 1 as days from operation_usage',
        [],
        { readOnly: true },
      );
      return row?.days ?? 0;
    },
  };
}

export type UsageRecords = ReturnType<typeof createUsageRecords>;
