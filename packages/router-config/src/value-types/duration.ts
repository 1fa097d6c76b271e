import { orExpansion } from '../json-schema.ts';
import type { ValueType } from './value-type.ts';
import { invalid } from './value-type.ts';

/**
 * Milliseconds of each unit, by the names of Rust's `humantime` that Apollo Router takes, from a millisecond
 * up.
 */
const unitsMs: Readonly<Record<string, number>> = {
  ...named(['ms', 'msec', 'millis'], 1),
  ...named(['s', 'sec', 'secs', 'second', 'seconds'], 1000),
  ...named(['m', 'min', 'mins', 'minute', 'minutes'], 60_000),
  ...named(['h', 'hr', 'hrs', 'hour', 'hours'], 3_600_000),
  ...named(['d', 'day', 'days'], 86_400_000),
};

/** The longest that `setTimeout` can wait, about 24 days; anything longer would fire at once. */
const longestTimerMs = 2_147_483_647;

/** A time such as `5s`, `800ms` or `1m 30s`, read as whole milliseconds that a timer can wait. */
export const duration: ValueType<number> = {
  read: (value, at) => {
    const milliseconds = typeof value === 'string' ? parseDurationMs(value) : undefined;
    if (milliseconds !== undefined && milliseconds > 0 && milliseconds <= longestTimerMs) {
      return milliseconds;
    }
    at.faultOfKind(value, 'a time such as 5s, 800ms or 1m 30s');
    return invalid;
  },
  schema: orExpansion({ type: 'string', pattern: String.raw`^(\s*\d+\s*[a-z]+)+\s*$`, examples: ['30s'] }),
};

function parseDurationMs(text: string): number | undefined {
  if (!/^(?:\s*\d+\s*[a-z]+)+\s*$/.test(text)) {
    return undefined;
  }
  return [...text.matchAll(/\s*(\d+)\s*([a-z]+)/gy)]
    .map(([, count, unit = '']) => Number(count) * (unitsMs[unit] ?? Number.NaN))
    .reduce((sum, part) => sum + part, 0);
}

function named(names: readonly string[], milliseconds: number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, milliseconds]));
}
