import { finished } from 'node:stream/promises';

import { escapeIdentifier } from 'pg';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

import { withClient } from './with-client.ts';

/** Rows to copy into a table. */
export interface CopiedRows {
  readonly table: string;
  readonly columns: readonly string[];
  /** In the order of the columns. */
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Rows that are inserted together or not at all. */
export interface CopyBatch {
  readonly tables: readonly CopiedRows[];
  /**
   * A statement that inserts the new rows from each `incoming_<table>`, and leaves existing rows as they are. Default:
   * inserts each into its own table.
   */
  readonly merge?: string;
}

/** Copies a batch into the database; resolves once it is committed. */
export type CopyNewRows = (batch: CopyBatch) => Promise<void>;

/**
 * Connects once, to insert many rows by `COPY`. That supports neither `on conflict` nor forced row-level security, so
 * it fills temporary tables, and one statement inserts the new rows from there. It takes an administrator: a service's
 * role may not create tables.
 */
export async function withCopy<Result>(
  adminUrl: string,
  use: (copyNewRows: CopyNewRows) => Promise<Result>,
): Promise<Result> {
  return await withClient(adminUrl, (client) => use((batch) => copyBatch(client, batch)));
}

async function copyBatch(client: Client, { tables, merge }: CopyBatch): Promise<void> {
  await client.query('begin');
  try {
    for (const copied of tables) {
      await copyIncoming(client, copied);
    }
    await client.query(merge ?? tables.map(mergeAll).join('; '));
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function copyIncoming(client: Client, { table, columns, rows }: CopiedRows): Promise<void> {
  const incoming = escapeIdentifier(`incoming_${table}`);
  const names = namesOf(columns);
  await client.query(
    `create temporary table ${incoming} on commit drop
     as select ${names} from ${escapeIdentifier(table)} with no data`,
  );
  const copy = client.query(copyFrom(`copy ${incoming} (${names}) from stdin`));
  copy.end(rows.map(lineOf).join(''));
  await finished(copy);
}

function mergeAll({ table, columns }: CopiedRows): string {
  const names = namesOf(columns);
  const incoming = escapeIdentifier(`incoming_${table}`);
  return `insert into ${escapeIdentifier(table)} (${names}) select ${names} from ${incoming} on conflict do nothing`;
}

function namesOf(columns: readonly string[]): string {
  return columns.map((column) => escapeIdentifier(column)).join(', ');
}

/** PostgreSQL's text format (COPY, "File Formats"). */
function lineOf(row: CopiedRows['rows'][number]): string {
  return `${row.map((value) => (value === null ? '\\N' : String(value).replaceAll(special, escaped))).join('\t')}\n`;
}

const special = /[\\\t\n\r]/gu;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const escaped = (character: string): string => escapes[character] ?? character;
