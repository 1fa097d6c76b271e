/** The value below which `part` (0 to 1) of the sorted values lie; NaN where there is none. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** The upper one of two in the middle; 0 where there is none. */
export function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Three significant digits: more would claim more than was measured. */
export function formatNumber(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
