import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

import { StackError } from './stack-error.ts';

/** Makes a secret for one purpose, such as `accounts/etag-keys`: always the same one, and none tells another. */
export type SecretFor = (purpose: string) => string;

/**
 * Opens the one secret of a stack, from which all others are made; the first time it is made itself, readable by its owner
 * only.
 *
 * @throws {StackError} when what is there is no such secret
 */
export async function openStackSecret(path: string): Promise<SecretFor> {
  await makeUnlessThere(path);
  const secret = (await readFile(path, 'utf8')).trim();
  if (!/^[\w-]{43}$/u.test(secret)) {
    throw new StackError(`${path} is damaged. Start over with: pnpm start --fresh`);
  }
  return (purpose) => createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** The file gets its name when it is whole, so that no start finds half of one. */
async function makeUnlessThere(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) {
      throw error;
    }
  } finally {
    await rm(draft, { force: true });
  }
}
