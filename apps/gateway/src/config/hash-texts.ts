import { createHash } from 'node:crypto';

/** Hashes texts one after another, as `cat FILE… | sha256sum` does. */
export function hashTexts(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    hash.update(text);
  }
  return hash.digest('hex');
}
