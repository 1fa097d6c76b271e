import { createPublicKey, createSecretKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { signingAlgorithms } from './signing-algorithms.ts';
import type { SigningAlgorithm } from './signing-algorithms.ts';

/** One key of a JWKS: public, or a secret of a set that is a file. */
export interface VerificationKey {
  readonly kid: string | undefined;
  /**
   * The algorithms that the key allows by its own `kty`, `crv`, `alg`, `use`, `key_ops` and length; empty for a key with
   * another purpose.
   */
  readonly algorithms: ReadonlySet<SigningAlgorithm>;
  readonly key: KeyObject;
  /** The JWK as text: two keys with the same text are one. */
  readonly jwkText: string;
}

interface KeyKind {
  readonly kty: string;
  readonly crv?: string;
  /** Of a secret. RFC 7518 §3.2: as long as the hash, at least. */
  readonly minBytes?: number;
}

const keyKinds: Readonly<Record<SigningAlgorithm, KeyKind>> = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  HS256: { kty: 'oct', minBytes: 32 },
  HS384: { kty: 'oct', minBytes: 48 },
  HS512: { kty: 'oct', minBytes: 64 },
};

/** RFC 7518 §3.3. */
const minModulusBits = 2048;

/**
 * The key that a member of a JWKS describes (RFC 7517 §4). `undefined` for a key that cannot verify anything
 * here, which is not a fault of the set (RFC 7517 §5): an unknown type, a private key, a broken or short one, and a
 * secret, unless these are allowed.
 */
export function parseVerificationKey(
  member: unknown,
  { areSecretsAllowed }: { readonly areSecretsAllowed: boolean },
): VerificationKey | undefined {
  if (!isVerifyingJwk(member)) {
    return undefined;
  }
  const key =
    member.kty !== 'oct' ? importPublicKey(member) : areSecretsAllowed ? importSecret(member) : undefined;
  return (
    key && {
      kid: member.kid,
      algorithms: new Set(signingAlgorithms.filter((algorithm) => isFor(algorithm, member, key))),
      key,
      jwkText: JSON.stringify(member),
    }
  );
}

/** A JWK without a private key. The members that are read here or by the import have the right types. */
type VerifyingJwk = JsonWebKey & { readonly kid?: string; readonly alg?: string; readonly use?: string };

const stringMembers = new Set(['kty', 'crv', 'n', 'e', 'x', 'y', 'k', 'kid', 'alg', 'use']);

function isVerifyingJwk(member: unknown): member is VerifyingJwk {
  return (
    typeof member === 'object' &&
    member !== null &&
    !('d' in member) &&
    Object.entries(member).every(([name, value]) => !stringMembers.has(name) || typeof value === 'string')
  );
}

function importPublicKey(jwk: VerifyingJwk): KeyObject | undefined {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength = minModulusBits } = publicKey.asymmetricKeyDetails ?? {};
    return modulusLength >= minModulusBits ? publicKey : undefined;
  } catch {
    return undefined;
  }
}

function importSecret({ k = '' }: VerifyingJwk): KeyObject {
  return createSecretKey(Buffer.from(k, 'base64url'));
}

function isFor(
  algorithm: SigningAlgorithm,
  { kty, crv, alg, use, key_ops: operations }: VerifyingJwk,
  { symmetricKeySize = 0 }: KeyObject,
): boolean {
  const kind = keyKinds[algorithm];
  return (
    kty === kind.kty &&
    (kind.crv === undefined || crv === kind.crv) &&
    symmetricKeySize >= (kind.minBytes ?? 0) &&
    (alg === undefined || alg === algorithm) &&
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  );
}
