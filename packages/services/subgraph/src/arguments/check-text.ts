import { clientError } from '../errors/client-error.ts';

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
