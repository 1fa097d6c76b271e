import { createReadStream } from 'node:fs';

import { parseJson, readJson, withTimeLimit } from './read-json.ts';
import { parseVerificationKey } from './verification-key.ts';
import type { VerificationKey } from './verification-key.ts';

export interface LoadJwksOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Ends the request, in addition to the time limit. */
  readonly signal: AbortSignal;
  /** Header fields of the request, in addition to `Accept`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Fetches the keys of a JWKS (RFC 7517 §5) from an `https:`, `http:` or `file:` URL. Leaves out keys that cannot verify
 * tokens here; a secret is a key only in a file. Rejects when it takes over 1.5 s, redirects, has a status other than
 * 200, is over 256 KiB, or is not a JWKS.
 */
export async function loadJwks(
  url: URL,
  { fetch, signal, headers }: LoadJwksOptions,
): Promise<readonly VerificationKey[]> {
  const isFile = url.protocol === 'file:';
  const accept = { Accept: 'application/jwk-set+json, application/json', ...headers };
  const { keys } = isFile
    ? await parseJson(createReadStream(url, { signal: withTimeLimit(signal) }), url.href)
    : await readJson(url, { fetch, signal, init: { headers: accept } });
  if (!Array.isArray(keys)) {
    throw new Error('Cannot load the JWKS: it has no list of keys');
  }
  return keys
    .map((member) => parseVerificationKey(member, { areSecretsAllowed: isFile }))
    .filter((key) => key !== undefined);
}
