/** The digits after the whole number, by thousandths: empty for 0, `.5` for 500. */
const fractions = Array.from({ length: 1000 }, (_, thousandths) => String(thousandths / 1000).slice(1));

/** The largest whole number of thousandths that is looked up: a small integer in V8. */
const mostThousandths = 2 ** 30;

/**
 * The text of a finite number, the same as in JSON. Numbers with up to three decimals, such as durations, are put
 * together from known texts: V8 takes three times as long to write a number that it did not write lately.
 */
export function decimalText(value: number): string {
  const thousandths = Math.round(value * 1000);
  // If equal, the value is the number nearest to these decimals. No shorter text has the same nearest number.
  if (thousandths >= 0 && thousandths <= mostThousandths && thousandths / 1000 === value) {
    return `${Math.floor(thousandths / 1000)}${fractions[thousandths % 1000]}`;
  }
  return String(value);
}
