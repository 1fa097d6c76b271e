import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SignJWT } from 'jose';
import { allScopes } from '../scopes.ts';
import { loadSigningKey } from './signing-key.ts';

export const developmentIssuer = 'http://meridian.localhost';
export const developmentAudience = 'meridian';

/** An issuer on this machine: its key set, which services trust, and its tokens. */
export interface DevelopmentIdentity {
  readonly issuer: string;
  readonly audience: string;
  /** A `file:` URL. */
  readonly jwksUrl: URL;
  /** A token that is valid from now on. */
  signToken(claims?: DevelopmentTokenClaims): Promise<string>;
}

export interface DevelopmentTokenClaims {
  /** Default: `acme`. */
  readonly tenant?: string;
  /** Default: `alice`. */
  readonly subject?: string;
  /** Default: all of them. */
  readonly scopes?: readonly string[];
  /** Default: none. */
  readonly policies?: readonly unknown[];
  /** Default: 3600. */
  readonly ttlSeconds?: number;
}

/**
 * Opens the development identity in a directory: an ES256 key, created at the first use and readable by its owner only,
 * and the JWKS with its public half. Processes that do so at the same time get the same one.
 *
 * @throws {DevelopmentIdentityError} when the file there holds another kind of key
 */
export async function createDevelopmentIdentity(directory: string): Promise<DevelopmentIdentity> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { kid, privateKey, publicJwk } = await loadSigningKey(join(directory, 'private-key.pem'));
  const jwksPath = join(directory, 'jwks.json');
  await replaceFile(jwksPath, `${JSON.stringify({ keys: [publicJwk] }, null, 2)}\n`);

  return {
    issuer: developmentIssuer,
    audience: developmentAudience,
    jwksUrl: pathToFileURL(jwksPath),
    async signToken({
      tenant = 'acme',
      subject = 'alice',
      scopes = allScopes,
      policies,
      ttlSeconds = 3600,
    } = {}) {
      const issuedAt = Math.floor(Date.now() / 1000);
      return await new SignJWT({ tenant_id: tenant, scope: scopes.join(' '), ...(policies && { policies }) })
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
        .setIssuer(developmentIssuer)
        .setAudience(developmentAudience)
        .setSubject(subject)
        .setIssuedAt(issuedAt)
        .setNotBefore(issuedAt)
        .setExpirationTime(issuedAt + ttlSeconds)
        .sign(privateKey);
    },
  };
}

/** Written in one step, because a service may be reading the file. */
async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, content);
  await rename(temporary, path);
}
