import type { Database } from '@meridian/database';

/** What is recorded of the use of a field by one operation of one client. */
export interface FieldUse {
  /** Type.field */
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

/** Reads what usage says. */
export interface UsageRecords {
  /** Who used fields in the last days, the most used first; all fields unless told which. */
  uses(days: number, fields?: readonly string[]): Promise<readonly FieldUse[]>;
  /** For how many days there are records, today included; 0 where there are none. */
  recordedDays(): Promise<number>;
}

export function createUsageRecords(database: Database): UsageRecords {
  return {
    uses: (days, fields) =>
      database.query<FieldUse>(
        `select f.field, o.name as operation, u.client_name as "clientName", u.client_version as "clientVersion",
           sum(u.requests)::float8 as requests, max(u.day)::text as "lastDay"
         from operation_usage u
         join operations o on o.id = u.operation_id
         join operation_fields f on f.operation_id = o.id
         where u.day > current_date - $1::integer and ($2::text[] is null or f.field = any ($2))
         group by f.field, o.name, u.client_name, u.client_version
         order by f.field, sum(u.requests) desc, o.name, u.client_name, u.client_version`,
        [days, fields ?? null],
        { readOnly: true },
      ),
    async recordedDays() {
      const [row] = await database.query<{ days: number | null }>(
        'select current_date - min(day) + 1 as days from operation_usage',
        [],
        { readOnly: true },
      );
      return row?.days ?? 0;
    },
  };
}
