const options = { style: 'currency', currency: 'EUR' } as const;
const plain = new Intl.NumberFormat('en-GB', options);
const signed = new Intl.NumberFormat('en-GB', { ...options, signDisplay: 'exceptZero' });

/** An amount of money with all its digits. */
export function formatMoney(minorUnits: bigint): string {
  return plain.format(decimal(minorUnits));
}

/** The same, with `+` before what is added. */
export function formatChange(minorUnits: bigint): string {
  return signed.format(decimal(minorUnits));
}

/** As a decimal text, which `Intl` formats without rounding. */
function decimal(minorUnits: bigint): `${number}` {
  const digits = String(minorUnits).replace('-', '').padStart(3, '0');
  const sign = minorUnits < 0n ? '-' : '';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- digits, a point, and two digits
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
}
