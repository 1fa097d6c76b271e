import { createSign, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** router.yaml with the shipped limits; any caller with a token may send texts. */
export const attackedConfig = readFileSync(new URL('attacked.router.yaml', import.meta.url), 'utf8');

/** The issuer of these tests' tokens, with an RSA key whose public half is known to all. */
export interface RsaIssuer {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly kid: string;
  readonly publicKey: KeyObject;
  /** A valid token, with the given members replaced; undefined removes one. */
  sign(claims?: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, unknown>>): string;
  close(): Promise<void>;
}

export async function createRsaIssuer(): Promise<RsaIssuer> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-attacks-'));
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = 'the-key';
  const path = join(directory, 'jwks.json');
  await writeFile(
    path,
    JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }] }),
  );
  const issuer = 'https://issuer.example';
  return {
    issuer,
    jwksUrl: pathToFileURL(path).href,
    kid,
    publicKey,
    sign: (claims = {}, header = {}) => {
      const unsigned = unsignedToken({ alg: 'RS256', kid, ...header }, { ...goodClaims(issuer), ...claims });
      return `${unsigned}.${createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url')}`;
    },
    close: () => rm(directory, { recursive: true }),
  };
}

/** The claims of a valid token. */
export function goodClaims(issuer: string): Readonly<Record<string, unknown>> {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: 'meridian', sub: 'alice', tenant_id: 'acme', nbf: now, exp: now + 600 };
}

/** The first two parts of a token. */
export function unsignedToken(header: object, claims: object): string {
  return [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}
