import { randomBytes } from 'node:crypto';

import type { SecretList } from './secret-list.ts';

/**
 * A generated secret for development: a new one at each start, so anything made with it is valid only while the process
 * runs.
 */
export function generatedSecret(): SecretList {
  return [randomBytes(32).toString('base64url')];
}
