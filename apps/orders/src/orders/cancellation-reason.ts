// The reason for a cancellation, as every API takes it.
import { SchemaError, text } from '@meridian/json';

const maxLength = 1000;

export const cancellationReason = text({
  // A reason must not be blank. PostgreSQL stores neither U+0000 nor half a surrogate pair, and control characters
  // other than line breaks and tabs are mistakes.
  pattern:
    // oxlint-disable-next-line no-control-regex -- they are what it excludes
    /^(?:[\t\n\r]|[^\S\x00-\x1f])*[^\s\x00-\x1f\x7f-\x9f\ud800-\udfff](?:[\t\n\r]|[^\x00-\x1f\x7f-\x9f\ud800-\udfff])*$/u,
  maxLength: maxLength,
  takes: `a text of 1 to ${maxLength} characters, not all of them blank`,
  description: 'Why the order is cancelled.',
  examples: ['ordered twice'],
});

/** The fault of a reason, as a sentence; undefined for a good one. */
export function faultOfReason(reason: string): string | undefined {
  try {
    cancellationReason.read(reason, 'reason');
    return undefined;
  } catch (error) {
    if (error instanceof SchemaError) {
      return error.message;
    }
    throw error;
  }
}
