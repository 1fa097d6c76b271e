import type { JsonBounds } from '@meridian/json';
import { JsonBoundError, parseBoundedJson } from '@meridian/json';

import { requestError } from '../../errors/request-error.ts';

/**
 * Parses JSON of a request. It is measured first, and numbers keep their digits.
 *
 * @param what names the text in a message
 * @throws {RequestError} BAD_REQUEST where it is not valid, or over a limit
 */
export function parseJson(text: string, what: string, bounds: JsonBounds): unknown {
  try {
    return parseBoundedJson(text, bounds);
  } catch (error) {
    const fault = error instanceof JsonBoundError ? error.fault : 'is not valid JSON';
    throw requestError('BAD_REQUEST', `${what} ${fault}`);
  }
}
