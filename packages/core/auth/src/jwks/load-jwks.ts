import { createReadStream } from 'node:fs';

import { parseJson, readJson, withTimeLimit } from './read-json.ts';
import { parseVerificationKey } from './verification-key.ts';
import type { VerificationKey } from './verification-key.ts';
import type { ReadJsonOptions } from './read-json.ts';

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

/**
 * The URL of an issuer's key set, by OpenID Connect Discovery 1.0. Rejects where the document names another issuer
 * (§4.3), or a key set that is neither at `https:` nor at the issuer's own origin.
 */
export async function discoverJwks(issuer: string, options: ReadJsonOptions): Promise<URL> {
  const document = await readJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, options);
  if (document['issuer'] !== issuer) {
    throw new Error('Cannot discover the JWKS: the document names another issuer');
  }
  const url = URL.parse(String(document['jwks_uri']));
  if (url === null || !(url.protocol === 'https:' || url.origin === new URL(issuer).origin)) {
    throw new Error('Cannot discover the JWKS: the document has no jwks_uri at https:// or at the issuer');
  }
  return url;
}
