import { clientError } from '../errors/client-error.ts';
import { isIdentifier } from '../identifiers/identifier.ts';

/**
 * Checks an identifier that a mutation stores as a reference.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
export function checkIdentifier(argument: string, text: string): void {
  if (!isIdentifier(text)) {
    throw clientError('BAD_USER_INPUT', `${argument} takes an identifier`);
  }
}

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

/**
 * Checks a text that a mutation stores: not blank, not too long, and without what PostgreSQL cannot hold, which is
 * U+0000 and half a surrogate pair.
 *
 * @throws {ClientError} `BAD_USER_INPUT`
 */
export function checkText(
  argument: string,
  text: string,
  { maxLength }: { readonly maxLength: number },
): void {
  if (text.trim() === '' || text.length > maxLength || text.includes('\0') || !text.isWellFormed()) {
    throw clientError('BAD_USER_INPUT', `${argument} takes a text of 1 to ${maxLength} characters`);
  }
}
