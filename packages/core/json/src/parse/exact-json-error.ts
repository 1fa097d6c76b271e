/** The faults by code. Each text completes `Cannot parse JSON: `. */
const faults = {
  'byte-order-mark': 'text starts with a byte-order mark',
  'invalid-utf-8': 'text is not UTF-8',
  'unexpected-end': 'text ends too early',
  'unexpected-character': 'unexpected character',
  'trailing-text': 'text goes on after the value',
  'leading-zero': 'number has a leading zero',
  'negative-zero': 'negative zero is not an integer',
  'integer-out-of-range': 'integer does not fit 64 bits',
  'control-character': 'control character in a string',
  'invalid-escape': 'invalid escape in a string',
  'lone-surrogate': 'string holds half of a surrogate pair',
  'duplicate-key': 'object has the same key twice',
  'too-deep': 'value is nested too deeply',
} as const;

export type ExactJsonErrorCode = keyof typeof faults;

/**
 * The reason and the position of a rejection. The message does not quote the text, so it is safe to show and to log.
 */
export class ExactJsonError extends Error {
  override readonly name = 'ExactJsonError';
  readonly code: ExactJsonErrorCode;
  /** The offset of the first byte that is not allowed at its position. */
  readonly byteOffset: number;

  constructor(code: ExactJsonErrorCode, byteOffset: number) {
    super(`Cannot parse JSON: ${faults[code]}, at byte ${byteOffset}`);
    this.code = code;
    this.byteOffset = byteOffset;
  }
}
