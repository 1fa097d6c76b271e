import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

import { StackError } from './stack-error.ts';

/** Derives the secret for a purpose, such as `accounts/etag-keys`. It is always the same, and reveals no other. */
export type SecretFor = (purpose: string) => string;

/**
 * Opens the secret of a stack, from which all others are derived. Creates it at the first use, readable by its owner
 * only.
 *
 * @throws {StackError} when the file holds anything else
 */
export async function openStackSecret(path: string): Promise<SecretFor> {
  await makeUnlessThere(path);
  const secret = (await readFile(path, 'utf8')).trim();
  if (!/^[\w-]{43}$/u.test(secret)) {
    throw new StackError(`${path} is damaged. Start over with: pnpm start --fresh`);
  }
  return (purpose) => createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** The file gets its name once it is complete, so no start finds half of it. */
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
