// graphql-js prints the default of an argument only if a custom scalar makes a text, a number or a boolean of it. So a
// scalar makes a marked text of any other value, which is then printed between quotes, and taken out of them afterwards.
import { ExactNumber } from './parse/exact-number.ts';

const mark = '\0literal ';
const quotedMark = '"\\u0000literal ';

/** The `serialize` of a custom scalar, for graphql-js to print its values. `unmarkDefaults` completes the text. */
export function markDefault(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? `${mark}${literalOf(value)}` : value;
}

/** The values of custom scalars in a text that graphql-js has printed, as literals. */
export function unmarkDefaults(text: string): string {
  const [start = '', ...parts] = text.split(quotedMark);
  const unmarked = parts.map((part) => {
    const [quoted = ''] = /^(?:[^"\\]|\\.)*/u.exec(part) ?? [];
    return `${JSON.parse(`"${quoted}"`)}${part.slice(quoted.length + 1)}`;
  });
  return [start, ...unmarked].join('');
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(literalOf).join(', ')}]`;
  }
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) {
    return JSON.stringify(value);
  }
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literalOf(member)}`);
  return `{${members.join(', ')}}`;
}
