import { hash } from 'node:crypto';

import type { Statements } from '@meridian/database/statements';

/** An identifier of a manifest with the text that it is bound to. */
export interface RegisteredOperation {
  /** From `identifierKey`. */
  readonly key: string;
  readonly id: string;
  readonly clientName: string | undefined;
  readonly text: string;
  readonly queryHash: string;
}

/**
 * The key of an identifier in the database, of one length for identifiers of any: the hash of its `operationKey`, and of
 * its graph of several.
 */
export function identifierKey(operationKey: string, graph: string | undefined): string {
  return hash('sha256', graph === undefined ? operationKey : `${graph} ${operationKey}`, 'base64url');
}

/** Keeps the text that each identifier was first listed with, for all gateways and across restarts. */
export function createIdentifierStore(database: Statements) {
  return {
    /** The registered texts, by the keys of their identifiers, of those that now have another text. */
    async textsUnlike(
      operations: readonly RegisteredOperation[],
      signal: AbortSignal,
    ): Promise<ReadonlyMap<string, string>> {
      const rows = await database.query<{ key: string; text: string }>(
        `select r.key, r.text
         from registered_operations r
         join jsonb_to_recordset($1::jsonb) as l (key text, text_key text) on l.key = r.key
         where r.text_key <> l.text_key`,
        [JSON.stringify(operations.map(({ key, queryHash }) => ({ key, text_key: queryHash })))],
        { signal, readOnly: true },
      );
      return new Map(rows.map(({ key, text }) => [key, text]));
    },
    /** Stores the texts of new identifiers, and that all of them are listed today. */
    async register(operations: readonly RegisteredOperation[], signal: AbortSignal): Promise<void> {
      const listed = operations.map(({ key, id, clientName, text, queryHash }) => ({
        key,
        id,
        client_name: clientName,
        text_key: queryHash,
        text,
      }));
      await database.query(
        `insert into registered_operations (key, id, client_name, text_key, text)
         select l.key, l.id, l.client_name, l.text_key, l.text
         from jsonb_to_recordset($1::jsonb) as l (key text, id text, client_name text, text_key text, text text)
         order by l.key
         on conflict (key) do update set listed_on = current_date
           where registered_operations.listed_on < current_date`,
        [JSON.stringify(listed)],
        { signal },
      );
    },
  };
}

export type IdentifierStore = ReturnType<typeof createIdentifierStore>;
