import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

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

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const authTagBytes = 16;

/**
 * Creates the box of a service from its keys: the first seals, all of them open.
 *
 * A sealed secret is the identifier of its key, a full stop, and base64url of nonce, AES-256-GCM ciphertext and tag.
 */
export function createSecretBox(keys: readonly [string, ...string[]]): SecretBox {
  const cipherKeys = new Map(keys.map((key) => [identifierOf(key), cipherKeyOf(key)]));
  const prefix = `${identifierOf(keys[0])}.`;
  const sealingKey = cipherKeyOf(keys[0]);
  return {
    prefix,
    hasOldKeys: keys.length > 1,
    seal(context, secret) {
      const nonce = randomBytes(nonceBytes);
      const encryption = createCipheriv(cipher, sealingKey, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([encryption.update(secret, 'utf8'), encryption.final()]);
      return `${prefix}${Buffer.concat([nonce, text, encryption.getAuthTag()]).toString('base64url')}`;
    },
    open(context, sealed) {
      const [id = '', encoded = ''] = sealed.split('.');
      const key = cipherKeys.get(id);
      const bytes = Buffer.from(encoded, 'base64url');
      if (key === undefined || bytes.length < nonceBytes + authTagBytes) {
        return undefined;
      }
      const decryption = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), {
        authTagLength: authTagBytes,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-authTagBytes));
      try {
        const text = decryption.update(bytes.subarray(nonceBytes, -authTagBytes), undefined, 'utf8');
        return text + decryption.final('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function identifierOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 8);
}

function cipherKeyOf(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'meridian webhook secret', 32));
}
