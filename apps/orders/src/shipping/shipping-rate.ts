const parcelMinorUnits = 390;
const startedKilogramMinorUnits = 110;
const heaviestGrams = 1_000_000;

/**
 * What it costs to ship a parcel, in minor currency units: an amount for the parcel, and one for each kilogram that it
 * starts. Null for what no carrier takes.
 */
export function shippingMinorUnits(weightGrams: number): number | null {
  if (weightGrams <= 0 || weightGrams > heaviestGrams) {
    return null;
  }
  return parcelMinorUnits + Math.ceil(weightGrams / 1000) * startedKilogramMinorUnits;
}
