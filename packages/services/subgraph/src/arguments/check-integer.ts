import { clientError } from '../errors/client-error.ts';

/**
 * Checks an integer that a mutation stores; both bounds are included.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
export function checkInteger(
  argument: string,
  value: number,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (value < min || value > max) {
    throw clientError('BAD_USER_INPUT', `${argument} takes an integer from ${min} to ${max}, not ${value}`);
  }
}
