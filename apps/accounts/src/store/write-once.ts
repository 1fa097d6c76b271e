import type { Database } from '@meridian/database';
import { callerOf, signalOf, type Answer, type RenderProblem } from '@meridian/http';
import { answerOnce, idempotencyKeyOf } from '@meridian/idempotency';
import type { Request } from 'express';

import { writing, type Statements } from './statements.ts';

/**
 * Makes the answer of a write. With an `Idempotency-Key`, the write and its answer are one transaction, and a repeated request
 * gets the first answer again; without one, the write is the one statement that it is.
 */
export type WriteOnce = (
  request: Request,
  body: Uint8Array,
  work: (statements: Statements) => Promise<Answer>,
) => Promise<Answer>;

export function createWriteOnce(database: Database, renderProblem: RenderProblem): WriteOnce {
  return async (request, body, work) => {
    const key = idempotencyKeyOf(request);
    if (key === undefined) return await work(database);

    const { tenantId, issuer, subject } = callerOf(request);
    const { method, path } = request;
    const identity = { tenantId, caller: JSON.stringify([issuer, subject]), method, path, key, body };
    return await writing(answerOnce(database, identity, work, { renderProblem, signal: signalOf(request) }));
  };
}
