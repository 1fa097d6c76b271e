/** Control characters, line separators, and those that reverse the direction of text. */
const unprintable = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of somebody else (a schema, a manifest, a configuration, a client) on one line, for terminals, logs, Markdown
 * and workflows: a line break would begin a command of a workflow or a heading, an escape a command of a terminal. Such
 * characters become escapes as in JSON.
 */
export function printable(text: string): string {
  return text.replace(unprintable, escapeOf);
}

/** The same for a text of several lines, none of which begins with what somebody else wrote. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Every text in a value, printable. */
export function printableTexts<Value>(value: Value): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has the same form
  return printableIn(value) as Value;
}

function printableIn(value: unknown): unknown {
  if (typeof value === 'string') {
    return printable(value);
  }
  if (Array.isArray(value)) {
    return value.map(printableIn);
  }
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [printable(name), printableIn(member)]),
      )
    : value;
}

function escapeOf(character: string): string {
  const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  return escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
