import { readJson } from './read-json.ts';
import type { ReadJsonOptions } from './read-json.ts';

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
