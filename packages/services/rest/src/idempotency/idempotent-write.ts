import type { Database, QueryOptions, TenantTransaction } from '@meridian/database';
import { callerOf, signalOf } from '@meridian/http';
import type { RenderProblem, WholeResponse } from '@meridian/http';
import type { Request } from 'express';

import { withIdempotencyKey, idempotencyKeyOf } from './with-idempotency-key.ts';
import type { StoredBodies } from './with-idempotency-key.ts';

/**
 * Makes the response of a write. With an `Idempotency-Key`, the write and its response are one transaction,
 * and a repeated request gets the first response again.
 *
 * @param body distinguishes a repeated request from another one
 */
export type IdempotentWrite<Store> = (
  request: Request,
  body: Uint8Array,
  work: (store: Store) => Promise<WholeResponse>,
) => Promise<WholeResponse>;

/** Runs one statement: a database, or a transaction of it. */
export interface Statements {
  query<Row extends object>(sql: string, values: readonly unknown[], options: QueryOptions): Promise<Row[]>;
}

interface IdempotentWriteOptions {
  readonly database: Database;
  readonly renderProblem: RenderProblem;
  /** Encrypts the bodies of stored responses. Default: they are stored as they are. */
  readonly bodies?: StoredBodies;
}

/** For writes of one statement: without a key, only that statement is sent. */
export function idempotentStatement(options: IdempotentWriteOptions): IdempotentWrite<Statements> {
  return withKey(options, (_request, work) => work(options.database));
}

/** For writes of several statements: a transaction, with or without a key. */
export function idempotentTransaction(options: IdempotentWriteOptions): IdempotentWrite<TenantTransaction> {
  return withKey(options, (request, work) =>
    options.database.transactionAsTenant(callerOf(request).tenantId, work, { signal: signalOf(request) }),
  );
}

/** A transaction runs statements as the database does. */
function withKey<Store>(
  { database, renderProblem, bodies }: IdempotentWriteOptions,
  withoutKey: (
    request: Request,
    work: (store: Store | TenantTransaction) => Promise<WholeResponse>,
  ) => Promise<WholeResponse>,
): IdempotentWrite<Store | TenantTransaction> {
  return async (request, body, work) => {
    const key = idempotencyKeyOf(request);
    if (key === undefined) {
      return await withoutKey(request, work);
    }

    const { tenantId, issuer, subject } = callerOf(request);
    const caller = JSON.stringify([issuer, subject]);
    const path = canonicalPath(request.path);
    const identity = { tenantId, caller, method: request.method, path, key, body };
    return await withIdempotencyKey(database, identity, work, {
      renderProblem,
      bodies,
      signal: signalOf(request),
    });
  };
}

/** One spelling of a path: every route reads `%69` as `i`, so both spellings are the same request. */
function canonicalPath(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeURIComponent(decodeURIComponent(segment)))
    .join('/');
}
