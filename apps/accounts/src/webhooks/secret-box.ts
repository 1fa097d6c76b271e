import { createHash } from 'node:crypto';

import { cipherKeyOf, openText, sealText } from '@meridian/rest';

/** Encrypts secrets for the database, with keys that the database does not have. */
export interface SecretBox {
  /** @param context the owner of the secret: it opens for no other */
  seal(context: string, secret: string): string;
  /** Undefined for a text of another context, or whose key is gone. */
  open(context: string, sealed: string): string | undefined;
  /** The beginning of all that the first key has sealed. */
  readonly prefix: string;
  /** True where there are keys besides the first. */
  readonly hasOldKeys: boolean;
}

/**
 * Creates the box of a service from its keys: the first seals, all of them open.
 *
 * A sealed secret is the identifier of its key, a full stop, and base64url of nonce, AES-256-GCM ciphertext and tag.
 */
export function createSecretBox(keys: readonly [string, ...string[]]): SecretBox {
  const cipherKeys = new Map(keys.map((key) => [identifierOf(key), secretKeyOf(key)]));
  const prefix = `${identifierOf(keys[0])}.`;
  const sealingKey = secretKeyOf(keys[0]);
  return {
    prefix,
    hasOldKeys: keys.length > 1,
    seal: (context, secret) => `${prefix}${sealText(sealingKey, context, secret).toString('base64url')}`,
    open(context, sealed) {
      const [id = '', encoded = ''] = sealed.split('.');
      const key = cipherKeys.get(id);
      return key && openText(key, context, Buffer.from(encoded, 'base64url'));
    },
  };
}

function identifierOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

function secretKeyOf(key: string): Buffer {
  return cipherKeyOf(key, 'meridian webhook secret');
}
