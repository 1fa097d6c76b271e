import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';

/** 1 to 255 visible characters, quoted as the draft says or bare as most clients send it. */
const keyPattern = /^(?:"(?<quoted>[!#-[\]-~]{1,255})"|(?<bare>[!#-~]{1,255}))$/;

/**
 * The key of a request's `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header); undefined without one.
 * Throws the problem `invalid-parameter` for one of another form.
 */
export function idempotencyKeyOf(request: IncomingMessage): string | undefined {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return undefined;
  const groups = typeof header === 'string' ? keyPattern.exec(header)?.groups : undefined;
  const key = groups?.['quoted'] ?? groups?.['bare'];
  if (key === undefined) {
    throw problem('invalid-parameter', 'Idempotency-Key is not 1 to 255 visible characters.');
  }
  return key;
}
