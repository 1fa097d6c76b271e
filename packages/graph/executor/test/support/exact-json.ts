// JSON with every digit, for what is compared with the executor: by nothing that the executor uses itself.

/** A number as its text. `JSON.stringify` writes it unchanged. */
export function rawNumber(text: string): unknown {
  return JSON.rawJSON(text);
}

export function isRawNumber(value: unknown): boolean {
  return JSON.isRawJSON(value);
}

/** Parses JSON. A number that a double would change is a raw one. */
export function parseRaw(text: string): unknown {
  return JSON.parse(text, keepText as Parameters<typeof JSON.parse>[1]);
}

/** The text of JSON in one way of writing it, each number as it was. */
export function rewritten(text: string): string {
  return JSON.stringify(parseRaw(text));
}

const keepText = (_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown =>
  typeof value === 'number' && JSON.stringify(value) !== source ? rawNumber(source) : value;
