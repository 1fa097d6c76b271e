import { longestTimerMs } from '@meridian/values';

import { orExpansion } from './json-schema.ts';
import type { ValueType } from './value-type.ts';
import { scalar } from './value-type.ts';

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

/** A time such as `5s`, `800ms` or `1m 30s`, in whole milliseconds, up to the limit of a timer. */
export const duration = durationUpTo(longestTimerMs);

/** The same without a timer: up to a century. */
export const period = durationUpTo(36_525 * 86_400_000);

function durationUpTo(maximumMs: number): ValueType<number> {
  return scalar({
    takes: 'a time such as 5s, 800ms or 1m 30s',
    read: (value) => {
      const milliseconds = typeof value === 'string' ? parseDurationMs(value) : 0;
      return milliseconds > 0 && milliseconds <= maximumMs ? milliseconds : undefined;
    },
    schema: orExpansion({
      type: 'string',
      pattern: String.raw`^(\s*\d+\s*[a-z]+)+\s*$`,
      examples: ['30s'],
    }),
  });
}

/** Not a number for another notation or an unknown unit. */
function parseDurationMs(text: string): number {
  if (!/^(?:\s*\d+\s*[a-z]+)+\s*$/.test(text)) {
    return Number.NaN;
  }
  return [...text.matchAll(/\s*(\d+)\s*([a-z]+)/gy)]
    .map(([, count, unit = '']) => Number(count) * (unitsMs[unit] ?? Number.NaN))
    .reduce((sum, part) => sum + part, 0);
}

function named(names: readonly string[], milliseconds: number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, milliseconds]));
}
