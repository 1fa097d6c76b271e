import { clientError } from '../errors/client-error.ts';

/**
 * Checks an integer that a mutation stores; both bounds are included.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
export function checkInteger(
  argument: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (value < least || value > most) {
    throw clientError(
      'BAD_USER_INPUT',
      `${argument} takes an integer from ${least} to ${most}, not ${value}`,
    );
  }
}
