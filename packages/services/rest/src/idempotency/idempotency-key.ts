import type { IncomingMessage } from 'node:http';

import { problem } from '@meridian/problem-details';

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
