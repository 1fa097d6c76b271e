/** A JSON value without loss: nothing in it has been through a double, and no member has replaced another. */
export type ExactJson =
  | null
  | boolean
  | string
  | bigint
  | DecimalNumber
  | readonly ExactJson[]
  | ExactJsonObject;

/** A JSON object, members in document order. A map, so that `__proto__` is a name like any other. */
export type ExactJsonObject = ReadonlyMap<string, ExactJson>;

/** A JSON number with a fraction or an exponent, kept as it was written: `1.0` and `1e3` are not integers here. */
export class DecimalNumber {
  readonly decimalText: string;

  constructor(decimalText: string) {
    this.decimalText = decimalText;
  }
}
