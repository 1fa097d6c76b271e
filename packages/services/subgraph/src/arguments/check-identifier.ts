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
