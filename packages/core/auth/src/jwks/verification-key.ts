import { createPublicKey } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { signingAlgorithms } from './signing-algorithms.ts';
import type { SigningAlgorithm } from './signing-algorithms.ts';

/** One public key of a JWKS. */
export interface VerificationKey {
  readonly kid: string | undefined;
  /**
   * The algorithms that the key allows by its own `kty`, `crv`, `alg`, `use` and `key_ops`; empty for a key with
   * another purpose.
   */
  readonly algorithms: ReadonlySet<SigningAlgorithm>;
  readonly publicKey: KeyObject;
  /** The JWK as text: two keys with the same text are one. */
  readonly jwkText: string;
}

const keyTypes: Readonly<Record<SigningAlgorithm, { readonly kty: string; readonly crv?: string }>> = {
  RS256: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
};

/** RFC 7518 §3.3. */
const minModulusBits = 2048;

/**
 * The key that a member of a JWKS describes (RFC 7517 §4). `undefined` for a key that cannot verify anything
 * here, which is not a fault of the set (RFC 7517 §5): an unknown type, a secret or private key, a broken or
 * short one.
 */
export function parseVerificationKey(member: unknown): VerificationKey | undefined {
  if (!isPublicJwk(member)) {
    return undefined;
  }
  const publicKey = importPublicKey(member);
  return (
    publicKey && {
      kid: member.kid,
      algorithms: new Set(signingAlgorithms.filter((algorithm) => isFor(algorithm, member))),
      publicKey,
      jwkText: JSON.stringify(member),
    }
  );
}

/** A JWK. The members that are read here or by the import have the right types. */
type PublicJwk = JsonWebKey & { readonly kid?: string; readonly alg?: string; readonly use?: string };

const stringMembers = new Set(['kty', 'crv', 'n', 'e', 'x', 'y', 'kid', 'alg', 'use']);

function isPublicJwk(member: unknown): member is PublicJwk {
  return (
    typeof member === 'object' &&
    member !== null &&
    !('d' in member) &&
    Object.entries(member).every(([name, value]) => !stringMembers.has(name) || typeof value === 'string')
  );
}

function importPublicKey(jwk: PublicJwk): KeyObject | undefined {
  try {
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
    const { modulusLength = minModulusBits } = publicKey.asymmetricKeyDetails ?? {};
    return modulusLength >= minModulusBits ? publicKey : undefined;
  } catch {
    return undefined;
  }
}

function isFor(algorithm: SigningAlgorithm, { kty, crv, alg, use, key_ops: operations }: PublicJwk): boolean {
  const type = keyTypes[algorithm];
  return (
    kty === type.kty &&
    (type.crv === undefined || crv === type.crv) &&
    (alg === undefined || alg === algorithm) &&
    (use === undefined || use === 'sig') &&
    (operations === undefined || (Array.isArray(operations) && operations.includes('verify')))
  );
}
