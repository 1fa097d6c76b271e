// Why an order is cancelled, wherever a client says so.
import { SchemaError, text } from '@meridian/json';

const longest = 1000;

export const cancellationReason = text({
  // Something has to be said. PostgreSQL has neither U+0000 nor half a surrogate pair, and nobody means another control character
  // than those of text in lines.
  pattern: /^(?=[\s\S]*\S)(?:[\t\n\r]|[^\p{Cc}\p{Cs}])+$/u,
  maxLength: longest,
  takes: `a text of 1 to ${longest} characters, not all of them blank`,
  description: 'Why the order is cancelled.',
  examples: ['ordered twice'],
});

/** What is wrong with a reason, as a sentence; undefined where nothing is. */
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
