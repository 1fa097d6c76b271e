// Signs tokens with Node's own cryptography, not with the library under test, so that they can be wrong in any way.
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

export type Json = Readonly<Record<string, unknown>>;

export interface Signer {
  /** The public key, as its issuer publishes it; without `alg` and `use`. */
  readonly jwk: JsonWebKey;
  readonly privateKey: KeyObject;
  /** A token with these members of claims and header put over good ones; `undefined` leaves one out. */
  token(claims?: Json, header?: Json): string;
}

/** When every test begins, by its own clock. */
export const startSeconds = 1_800_000_000;

const goodClaims = {
  iss: 'https://issuer.example',
  aud: 'meridian',
  sub: 'alice',
  tenant_id: 'acme',
  scope: 'accounts:read',
  nbf: startSeconds - 60,
  exp: startSeconds + 3600,
};

const algorithms = {
  RS256: {
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    sign: (data: Buffer, key: KeyObject) => sign('sha256', data, key),
  },
  PS256: {
    generate: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    sign: (data: Buffer, key: KeyObject) =>
      sign('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }),
  },
  ES256: {
    generate: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    sign: (data: Buffer, key: KeyObject) => sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' }),
  },
  EdDSA: {
    generate: () => generateKeyPairSync('ed25519'),
    sign: (data: Buffer, key: KeyObject) => sign(null, data, key),
  },
};

export type Algorithm = keyof typeof algorithms;

export function createSigner(algorithm: Algorithm = 'ES256', kid = 'key-1'): Signer {
  const { privateKey, publicKey } = algorithms[algorithm].generate();
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), kid },
    privateKey,
    token(claims = {}, header = {}) {
      const input = [
        { alg: algorithm, kid, ...header },
        { ...goodClaims, ...claims },
      ]
        .map(encode)
        .join('.');
      return `${input}.${algorithms[algorithm].sign(Buffer.from(input), privateKey).toString('base64url')}`;
    },
  };
}

/** A part of a compact token. */
export function encode(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
