import { randomBytes } from 'node:crypto';

import type { SecretList } from './variables/secret-list.ts';

/**
 * Stands for a secret that development can do without: another at each start, so that what was made with it is good for as long as
 * the process runs.
 */
export function generatedSecret(): SecretList {
  return [randomBytes(32).toString('base64url')];
}
