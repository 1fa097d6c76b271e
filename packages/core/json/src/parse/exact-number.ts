/**
 * A JSON number as it was written, of which a double would lose something: digits beyond 2^53, a trailing zero, the
 * range of an exponent. `JSON.stringify` writes it unchanged.
 */
export class ExactNumber {
  readonly numberText: string;

  /** @param numberText a JSON number */
  constructor(numberText: string) {
    this.numberText = numberText;
  }

  /** The nearest double. */
  valueOf(): number {
    return Number(this.numberText);
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.numberText);
  }
}

/** True for a JSON number that is another text once a double has held it. */
export function isExactNumber(text: string): boolean {
  return String(Number(text)) !== text && jsonNumber.test(text);
}

/** RFC 8259 §6. */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

declare global {
  /** ES2027, in Node.js since version 21, and not in TypeScript's library yet. */
  interface JSON {
    /** A value that `JSON.stringify` writes as this text, of a primitive value. */
    rawJSON(text: string): unknown;
    isRawJSON(value: unknown): boolean;
  }
}
