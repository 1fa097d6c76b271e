import { ExactJsonError, parseExactJson } from '@meridian/json';
import type { ExactJson } from '@meridian/json';

/** The value of a text, encoded as UTF-8. */
export function parseText(text: string): ExactJson {
  return parseExactJson(Buffer.from(text));
}

/** The result of parsing bytes: their value, or the error that rejects them. Any other error is rethrown. */
export function outcomeOf(bytes: Uint8Array): { readonly value: ExactJson } | ExactJsonError {
  try {
    return { value: parseExactJson(bytes) };
  } catch (error) {
    if (error instanceof ExactJsonError) {
      return error;
    }
    throw error;
  }
}

/** The error that bytes are refused with; throws when they are accepted. */
export function errorOf(bytes: Uint8Array): ExactJsonError {
  const outcome = outcomeOf(bytes);
  if (outcome instanceof ExactJsonError) {
    return outcome;
  }
  throw new Error('The text was accepted');
}
