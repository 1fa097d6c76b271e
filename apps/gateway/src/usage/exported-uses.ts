import type { Statements } from '@meridian/database/statements';

import type { DurationCounts } from './durations.ts';

/** The use of an operation by one version of a client, with what is known of the operation. */
export interface ExportedUse {
  /** Identifies the operation in the database. */
  readonly id: string;
  /** Of several in one process; empty where it is the only one. */
  readonly graph: string;
  /** Empty for an anonymous one. */
  readonly name: string;
  /** The key of its text, of an operation of a manifest. */
  readonly queryHash: string | null;
  /** Of an operation that a gateway has in its manifest. */
  readonly text: string | null;
  /** `Type.field` */
  readonly fields: readonly string[];
  readonly client: string;
  readonly version: string;
  readonly requests: number;
  /** `2026-01-31` */
  readonly lastDay: string;
  /** Requests by day. */
  readonly daily: Readonly<Record<string, number>>;
  /** Requests whose outcome is known: without those that an earlier release recorded. */
  readonly measured: number;
  readonly failed: number;
  /** The sum of the estimated costs. */
  readonly cost: number;
  readonly durations: DurationCounts;
  /**
   * Input objects, input fields and enum values that were sent; null where an earlier release counted some of the
   * requests.
   */
  readonly inputs: readonly string[] | null;
}

/** Reads all uses of the last days, by operation; where a graph of several is named, its own. */
export async function exportedUses(
  database: Statements,
  days: number,
  graph?: string,
): Promise<readonly ExportedUse[]> {
  return await database.query<ExportedUse>(
    `select encode(o.id, 'hex') as id, o.graph, o.name, o.text_key as "queryHash",
       (select r.text from registered_operations r where r.text_key = o.text_key limit 1) as text,
       array(select f.field::text from operation_fields f where f.operation_id = o.id order by f.field) as fields,
       u.client_name as client, u.client_version as version,
       sum(u.requests)::float8 as requests, max(u.day)::text as "lastDay",
       jsonb_object_agg(u.day::text, u.requests order by u.day) as daily,
       sum(u.failed)::float8 as failed, sum(u.cost)::float8 as cost, sum_counts(u.durations)::float8[] as durations,
       (select coalesce(sum(c), 0) from unnest(sum_counts(u.durations)) c)::float8 as measured,
       sum_inputs(u.inputs) as inputs
     from operation_usage u
     join operations o on o.id = u.operation_id
     where u.day > current_date - $1::integer and ($2::text is null or o.graph = $2)
     group by o.id, o.graph, o.name, o.text_key, u.client_name, u.client_version
     order by o.name, o.id, u.client_name, u.client_version`,
    [days, graph ?? null],
    { readOnly: true },
  );
}
