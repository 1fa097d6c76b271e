import { randomBytes } from 'node:crypto';

import { variable } from './variable.ts';
import type { Variable, VariableOptions } from './variable.ts';

/** One or more secrets. Of keys, the first signs, and all of them verify. */
export type SecretList = readonly [string, ...string[]];

/** The fewest characters of a secret: 32 hexadecimal digits hold 128 bits. */
const minimumLength = 32;

/** Secrets separated by commas. To rotate a key, put the new one first, and drop the old one later. */
export function secretList<const Options extends VariableOptions<SecretList>>(
  options: Options,
): Variable<SecretList, Options & { secret: true }> {
  return variable(
    {
      takes: `secrets of at least ${minimumLength} characters each, separated by commas`,
      parse: parseSecrets,
    },
    { ...options, secret: true as const },
  );
}

function parseSecrets(text: string): SecretList | undefined {
  const [first, ...others] = text.split(',').map((secret) => secret.trim());
  if (first === undefined || [first, ...others].some((secret) => secret.length < minimumLength)) {
    return undefined;
  }
  return Object.freeze<[string, ...string[]]>([first, ...others]);
}

/**
 * A generated secret for development: a new one at each start, so anything made with it is valid only while the process
 * runs.
 */
export function generatedSecret(): SecretList {
  return [randomBytes(32).toString('base64url')];
}
