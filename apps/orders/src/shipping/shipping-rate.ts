const parcelMinorUnits = 390;
const startedKilogramMinorUnits = 110;
const heaviestGrams = 1_000_000;

/**
 * The cost of shipping a parcel, in minor currency units: an amount for the parcel, and one for each started
 * kilogram. Null when no carrier takes it.
 */
export function shippingMinorUnits(weightGrams: number): number | null {
  if (weightGrams <= 0 || weightGrams > heaviestGrams) {
    return null;
  }
  return parcelMinorUnits + Math.ceil(weightGrams / 1000) * startedKilogramMinorUnits;
}
