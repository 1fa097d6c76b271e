/** The part of JSON Schema (2020-12) that these types need. */
export interface ValueSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One type of value that an operator or a client writes. */
export interface ValueType<Value> {
  /** The accepted values, as the end of the sentence "it takes …". */
  readonly takes: string;
  readonly schema: ValueSchema;
  /** Reads a text, such as a variable, a flag or a query parameter. Undefined for an invalid text. */
  readonly parse: (text: string) => Value | undefined;
  /** Reads a value of a parsed document, such as YAML. Undefined for an invalid value. */
  readonly read: (value: unknown) => Value | undefined;
}

/** Creates a type whose values are texts in documents too. */
export function textType<Value>(
  takes: string,
  parse: (text: string) => Value | undefined,
  schema: ValueSchema = { type: 'string' },
): ValueType<Value> {
  return { takes, schema, parse, read: (value) => (typeof value === 'string' ? parse(value) : undefined) };
}

/** Any text that is not empty. */
export const text: ValueType<string> = textType('a text', (value) => (value === '' ? undefined : value));

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  const takes = words.length === 1 ? `only ${words[0]}` : `one of ${words.join(', ')}`;
  return textType(takes, (value) => words.find((word) => word === value), { enum: words });
}

/** Exactly `true` or `false`: `0`, `no` and the like are rejected, not guessed. */
export const boolean: ValueType<boolean> = {
  takes: 'true or false',
  schema: { type: 'boolean' },
  parse: (value) => value === 'true' || (value === 'false' ? false : undefined),
  read: (value) => (typeof value === 'boolean' ? value : undefined),
};
