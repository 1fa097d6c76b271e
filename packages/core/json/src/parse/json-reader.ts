// The grammar of RFC 8259, top down: one method for each production, in the order in which they call each other. Values
// are slices of the text; nothing is assembled character by character.
import { DecimalNumber } from './exact-json.ts';
import type { ExactJson, ExactJsonObject } from './exact-json.ts';
import { ExactJsonError } from './exact-json-error.ts';
import type { ExactJsonErrorCode } from './exact-json-error.ts';

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
/**
 * A sign and 19 digits. A longer integer is out of range, and never reaches `BigInt`, whose cost grows faster than the
 * text.
 */
const int64MaxLength = 20;

const fourHexDigits = /^[0-9A-Fa-f]{4}$/;

/** The most levels of nested arrays and objects, the outermost included. */
const maxDepth = 32;

/** Reads one text; a reader is used once. */
export class JsonReader {
  readonly #text: string;
  #offset = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readText(): ExactJson {
    this.#skipWhitespace();
    const value = this.#readValue();
    this.#skipWhitespace();
    if (!this.#isAtEnd()) {
      throw this.#refuse('trailing-text');
    }
    return value;
  }

  #readValue(): ExactJson {
    switch (this.#peek()) {
      case '"':
        return this.#readString();
      case '{':
        return this.#readObject();
      case '[':
        return this.#readArray();
      case 't':
        return this.#readLiteral('true', true);
      case 'f':
        return this.#readLiteral('false', false);
      case 'n':
        return this.#readLiteral('null', null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(): ExactJsonObject {
    const members = new Map<string, ExactJson>();
    this.#descend();
    if (this.#peek() === '}') {
      return this.#ascend(members);
    }
    for (;;) {
      const keyOffset = this.#offset;
      const key = this.#readKey();
      if (members.has(key)) {
        throw this.#refuse('duplicate-key', keyOffset);
      }
      this.#skipWhitespace();
      this.#expect(':');
      this.#skipWhitespace();
      members.set(key, this.#readValue());
      this.#skipWhitespace();
      if (this.#peek() === '}') {
        return this.#ascend(members);
      }
      this.#expect(',');
      this.#skipWhitespace();
    }
  }

  #readKey(): string {
    if (this.#peek() !== '"') {
      throw this.#unexpected();
    }
    return this.#readString();
  }

  #readArray(): readonly ExactJson[] {
    const elements: ExactJson[] = [];
    this.#descend();
    if (this.#peek() === ']') {
      return this.#ascend(elements);
    }
    for (;;) {
      elements.push(this.#readValue());
      this.#skipWhitespace();
      if (this.#peek() === ']') {
        return this.#ascend(elements);
      }
      this.#expect(',');
      this.#skipWhitespace();
    }
  }

  #readString(): string {
    const start = this.#offset;
    let hasEscapes = false;
    this.#offset += 1;
    for (let next = this.#peek(); next !== '"'; next = this.#peek()) {
      if (next === '\\') {
        hasEscapes = true;
        this.#skipEscape();
      } else if (next >= ' ') {
        this.#offset += 1;
      } else {
        throw this.#refuse(this.#isAtEnd() ? 'unexpected-end' : 'control-character');
      }
    }
    this.#offset += 1;

    if (!hasEscapes) {
      return this.#text.slice(start + 1, this.#offset - 1);
    }
    const value = resolveEscapes(this.#text.slice(start, this.#offset));
    if (!value.isWellFormed()) {
      throw this.#refuse('lone-surrogate', start);
    }
    return value;
  }

  #skipEscape(): void {
    const escaped = this.#text.charAt(this.#offset + 1);
    if (escaped !== '' && '"\\/bfnrt'.includes(escaped)) {
      this.#offset += 2;
    } else if (escaped === 'u' && fourHexDigits.test(this.#text.slice(this.#offset + 2, this.#offset + 6))) {
      this.#offset += 6;
    } else {
      throw this.#refuse('invalid-escape');
    }
  }

  #readLiteral<Value>(literal: string, value: Value): Value {
    for (const character of literal) {
      this.#expect(character);
    }
    return value;
  }

  #readNumber(): bigint | DecimalNumber {
    const start = this.#offset;
    this.#skipIf('-');
    const firstDigit = this.#offset;
    this.#skipDigits();
    if (this.#text[firstDigit] === '0' && this.#offset > firstDigit + 1) {
      throw this.#refuse('leading-zero', firstDigit);
    }

    const integerEnd = this.#offset;
    if (this.#skipIf('.')) {
      this.#skipDigits();
    }
    if (this.#skipIf('e') || this.#skipIf('E')) {
      if (!this.#skipIf('+')) {
        this.#skipIf('-');
      }
      this.#skipDigits();
    }

    const numberText = this.#text.slice(start, this.#offset);
    return this.#offset > integerEnd ? new DecimalNumber(numberText) : this.#integer(numberText, start);
  }

  #integer(integerText: string, start: number): bigint {
    if (integerText === '-0') {
      throw this.#refuse('negative-zero', start);
    }
    const value = integerText.length > int64MaxLength ? undefined : BigInt(integerText);
    if (value === undefined || value < int64Min || value > int64Max) {
      throw this.#refuse('integer-out-of-range', start);
    }
    return value;
  }

  #skipDigits(): void {
    const start = this.#offset;
    for (let next = this.#peek(); next >= '0' && next <= '9'; next = this.#peek()) {
      this.#offset += 1;
    }
    if (this.#offset === start) {
      throw this.#unexpected();
    }
  }

  #skipWhitespace(): void {
    for (
      let next = this.#peek();
      next === ' ' || next === '\n' || next === '\r' || next === '\t';
      next = this.#peek()
    ) {
      this.#offset += 1;
    }
  }

  /** Goes past the opening bracket, one level down. */
  #descend(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) {
      throw this.#refuse('too-deep');
    }
    this.#offset += 1;
    this.#skipWhitespace();
  }

  /** Goes past the closing bracket, one level up, and returns the content. */
  #ascend<Value>(value: Value): Value {
    this.#depth -= 1;
    this.#offset += 1;
    return value;
  }

  #expect(character: string): void {
    if (!this.#skipIf(character)) {
      throw this.#unexpected();
    }
  }

  #skipIf(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) {
      this.#offset += 1;
    }
    return isNext;
  }

  /** The next UTF-16 code unit; at the end of the text the empty string, which sorts before every other. */
  #peek(): string {
    return this.#text.charAt(this.#offset);
  }

  #isAtEnd(): boolean {
    return this.#offset === this.#text.length;
  }

  #unexpected(): ExactJsonError {
    return this.#refuse(this.#isAtEnd() ? 'unexpected-end' : 'unexpected-character');
  }

  #refuse(code: ExactJsonErrorCode, offset = this.#offset): ExactJsonError {
    return new ExactJsonError(code, Buffer.byteLength(this.#text.slice(0, offset)));
  }
}

/** `JSON.parse` resolves escapes fast, and is exact for a single string. */
function resolveEscapes(stringToken: string): string {
  return String(JSON.parse(stringToken));
}
