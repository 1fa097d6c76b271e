import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import { StoreTimeout } from '@meridian/database';
import type { Database, StopSignal, TenantTransaction } from '@meridian/database';
import type { RenderProblem, WholeResponse } from '@meridian/http';
import { Problem, problem } from '@meridian/problem-details';

/** The properties that make two requests equal. */
export interface IdempotentRequest {
  readonly tenantId: string;
  /** Issuer and subject: two callers never share a key. */
  readonly caller: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: Uint8Array;
}

/** Converts the bodies of responses to the texts that are stored, and back. */
export interface StoredBodies {
  /** @param context the request, to which the text is bound */
  seal(context: string, body: string): string;
  /** Undefined for a text that it cannot read any more. */
  open(context: string, stored: string): string | undefined;
}

interface KeyOptions {
  readonly renderProblem: RenderProblem;
  /** Default: bodies are stored as they are. */
  readonly bodies?: StoredBodies | undefined;
  readonly signal: StopSignal;
}

const plainBodies: StoredBodies = { seal: (_context, body) => body, open: (_context, stored) => stored };

/** The longest wait for another request with the same key that is still in flight. */
const timeoutMs = 1000;

interface ClaimRow {
  is_new: boolean;
  is_same_body: boolean | null;
  status: number | null;
  headers: Record<string, string> | null;
  body: string | null;
}

/**
 * Executes a request at most once, however often it is sent: `work`, its effect and its response are one transaction,
 * and a later request with the same key gets the stored response, with `Idempotent-Replayed: true`. Responses with
 * 2xx and 422 are stored; after any other error, nothing is. `work` may run more than once, and what it does outside
 * the transaction is not undone.
 *
 * @throws {Problem} `idempotency-key-reused` for another body, `idempotency-key-in-flight` when the first request has
 *   not ended in time
 */
export async function withIdempotencyKey(
  database: Database,
  request: IdempotentRequest,
  work: (transaction: TenantTransaction) => Promise<WholeResponse>,
  { renderProblem, bodies = plainBodies, signal }: KeyOptions,
): Promise<WholeResponse> {
  const { tenantId, caller, method, path, key, body } = request;
  const identity = [tenantId, caller, method, path, key];
  const context = JSON.stringify(identity);
  const fingerprint = createHash('sha256').update(body).digest();
  try {
    return await database.transactionAsTenant(
      tenantId,
      async (transaction) => {
        // One round trip. On one PostgreSQL the function bounds its wait itself; on a worker of Citus the settings do.
        const [, [claim]] = await Promise.all([
          transaction.query(`set local lock_timeout = ${timeoutMs}`),
          transaction.query<ClaimRow>('select * from claim_idempotency_key($1, $2, $3, $4, $5, $6, $7)', [
            ...identity,
            fingerprint,
            timeoutMs,
          ]),
          transaction.query('set local lock_timeout = 0'),
        ]);
        if (claim?.is_new !== true) {
          return replay(claim, (stored) => bodies.open(context, stored));
        }
        const response = await responseOf(() => work(transaction), renderProblem);
        await transaction.query('select keep_idempotent_answer($1, $2, $3, $4, $5, $6, $7, $8)', [
          ...identity,
          response.status,
          JSON.stringify(response.headers ?? {}),
          bodies.seal(context, String(response.body ?? '')),
        ]);
        return response;
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof StoreTimeout && isLockNotAvailable(error.cause)) {
      throw problem('idempotency-key-in-flight', 'A request with this Idempotency-Key has not ended yet.', {
        cause: error,
      });
    }
    throw error;
  }
}

function replay(claim: ClaimRow | undefined, open: (stored: string) => string | undefined): WholeResponse {
  if (claim?.is_same_body !== true || claim.status === null) {
    throw problem('idempotency-key-reused', 'This Idempotency-Key was used for a request with another body.');
  }
  const body = open(claim.body ?? '');
  if (body === undefined) {
    throw new Error('the stored response cannot be decrypted: its key is not configured any more');
  }
  return {
    status: claim.status,
    headers: { ...claim.headers, 'Idempotent-Replayed': 'true' },
    body,
  };
}

/** A 422 is a response like any other: it stays the same when the request is repeated. */
async function responseOf(
  work: () => Promise<WholeResponse>,
  renderProblem: RenderProblem,
): Promise<WholeResponse> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem && error.status === 422) {
      return renderProblem(error);
    }
    throw error;
  }
}

const lockNotAvailable = '55P03';

function isLockNotAvailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lockNotAvailable;
}

/**
 * 1 to 255 visible characters: quoted as the draft says, which makes it a string of RFC 9651 §3.3.3 with its escapes,
 * or bare as most clients send it, if it does not begin with a quote.
 */
const keyPattern = /^(?:"((?:[!#-[\]-~]|\\["\\]){1,255})"|([!#-~][!-~]{0,254}))$/;

/** The header field as a parameter of an OpenAPI operation. */
export const idempotencyKeyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  isRequired: false,
  description:
    'Identifies this request, so that it can be repeated without a second effect: for example a UUID. Kept for 24 hours. Rejected with another body.',
  schema: { type: 'string', pattern: keyPattern.source },
} as const;

/**
 * The key of a request's `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header); undefined without one.
 *
 * @throws {Problem} `invalid-parameter` for a malformed one
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) {
    return undefined;
  }
  const [, quoted, bare] = (typeof header === 'string' ? keyPattern.exec(header) : null) ?? [];
  const key = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare;
  if (key === undefined) {
    throw problem('invalid-parameter', 'Idempotency-Key is not 1 to 255 visible characters.');
  }
  return key;
}
