import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { link, readFile, unlink, writeFile } from 'node:fs/promises';

import { calculateJwkThumbprint } from 'jose';
import type { JWK } from 'jose';

/** A key pair for ES256. */
export interface SigningKey {
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: JWK;
}

/**
 * Reads the key from a PEM file. Creates a missing file, readable by its owner only.
 *
 * @throws {DevelopmentIdentityError} when the file holds another kind of key
 */
export async function loadSigningKey(path: string): Promise<SigningKey> {
  const privateKey = parsePrivateKey((await readIfThere(path)) ?? (await makeKeyFile(path)));
  if (privateKey === undefined) {
    throw new DevelopmentIdentityError(
      `Cannot read the development key ${path}: it is not a private key for ES256. Remove it, and the next start makes a new one.`,
    );
  }
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, privateKey, publicJwk: { ...jwk, kid, alg: 'ES256', use: 'sig' } };
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
}

/** The file gets its name only once it is complete. If another process was faster, its key is used. */
async function makeKeyFile(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, privateKey, { mode: 0o600 });
  try {
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) {
      throw error;
    }
  } finally {
    await unlink(temporary);
  }
  return await readFile(path, 'utf8');
}

function parsePrivateKey(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

/** The development identity on disk cannot be used. The message says what to do. */
export class DevelopmentIdentityError extends Error {
  override readonly name = 'DevelopmentIdentityError';
}
