/** The value below which `part` (0 to 1) of the sorted values lie; NaN where there is none. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Three significant digits: more would claim more than was measured. */
export function formatNumber(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
