/** The bytes that say what comes next. RFC 8259 §2. */
export const byte = {
  /** In no JSON. */
  nothing: 0x00,
  quote: 0x22,
  comma: 0x2c,
  minus: 0x2d,
  point: 0x2e,
  zero: 0x30,
  nine: 0x39,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
} as const;
