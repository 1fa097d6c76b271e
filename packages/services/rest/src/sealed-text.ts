import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const nonceBytes = 12;
const authTagBytes = 16;

/** The key of one use of a secret: texts that are sealed for another use do not open. */
export function cipherKeyOf(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', use, 32));
}

/** Encrypts a text by AES-256-GCM: nonce, ciphertext and tag. */
export function sealText(key: Buffer, context: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context));
  const sealed = encryption.update(text, 'utf8');
  return Buffer.concat([nonce, sealed, encryption.final(), encryption.getAuthTag()]);
}

/** The sealed text; undefined for bytes of another key or context, and for any others. */
export function openText(key: Buffer, context: string, sealed: Buffer): string | undefined {
  if (sealed.length < nonceBytes + authTagBytes) {
    return undefined;
  }
  const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
    authTagLength: authTagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(-authTagBytes));
  try {
    const text = decryption.update(sealed.subarray(nonceBytes, -authTagBytes), undefined, 'utf8');
    return text + decryption.final('utf8');
  } catch {
    return undefined;
  }
}
