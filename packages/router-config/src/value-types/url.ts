import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/** A URL of one of these schemes, or one of these words in its place. */
export function url(schemes: readonly string[], words: readonly string[] = []): ValueType<string> {
  const starts = schemes.map((scheme) => `${scheme}://`);
  return {
    read: (value, at) => {
      if (typeof value === 'string' && (words.includes(value) || isUrl(value, starts))) {
        return value;
      }
      const orWords = words.map((word) => `${word}, or `).join('');
      at.faultOfKind(value, `${orWords}a URL that starts with ${starts.join(' or ')}`);
      return invalid;
    },
    schema: { type: 'string', examples: [`${starts[0]}host.example/`] },
  };
}

function isUrl(text: string, starts: readonly string[]): boolean {
  return starts.some((start) => text.startsWith(start)) && URL.canParse(text);
}
