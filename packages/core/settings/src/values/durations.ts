/** Milliseconds of each unit, by the names of Rust's `humantime`, which Apollo Router takes, from a millisecond up. */
const unitsMs: ReadonlyMap<string, number> = new Map(
  Object.entries({
    'ms msec millis': 1,
    's sec secs second seconds': 1000,
    'm min mins minute minutes': 60_000,
    'h hr hrs hour hours': 3_600_000,
    'd day days': 86_400_000,
  }).flatMap(([names, milliseconds]) => names.split(' ').map((name) => [name, milliseconds] as const)),
);

/** Whole milliseconds of a time such as `5s`, `800ms` or `1m 30s`; undefined for another notation or unit. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\s*\d+\s*[a-z]+)+\s*$/.test(text)) {
    return undefined;
  }
  const milliseconds = [...text.matchAll(/\s*(\d+)\s*([a-z]+)/gy)]
    .map(([, count, unit = '']) => Number(count) * (unitsMs.get(unit) ?? Number.NaN))
    .reduce((sum, part) => sum + part, 0);
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}
