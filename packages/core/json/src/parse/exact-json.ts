/** A JSON value without loss: no number was converted to a double, and no member has replaced another. */
export type ExactJson =
  | null
  | boolean
  | string
  | bigint
  | DecimalNumber
  | readonly ExactJson[]
  | ExactJsonObject;

/** A JSON object, members in document order. A map, so that `__proto__` is an ordinary name. */
export type ExactJsonObject = ReadonlyMap<string, ExactJson>;

/** A JSON number with a fraction or an exponent, as written: `1.0` and `1e3` are not integers here. */
export class DecimalNumber {
  readonly decimalText: string;

  constructor(decimalText: string) {
    this.decimalText = decimalText;
  }
}
