import type { ValueType } from './value-type.ts';

/** Inclusive bounds. */
export interface Bounds {
  readonly minimum: number;
  /** Default: the largest integer that a number holds exactly. */
  readonly maximum?: number;
}

/** The longest time that `setTimeout` can wait, about 24 days; a longer one would fire at once. */
export const maxTimerMs = 2_147_483_647;

/** A whole number within bounds: as text, decimal digits, with an optional minus. */
export function integer(bounds: Bounds): ValueType<number> {
  const { minimum, maximum } = bounds;
  const upTo = maximum === undefined ? 'up' : `to ${maximum}`;
  return numberType(
    `a whole number from ${minimum} ${upTo}`,
    { type: 'integer', ...bounds },
    /^-?\d{1,16}$/,
    (value) => Number.isSafeInteger(value) && value >= minimum && value <= (maximum ?? value),
  );
}

/** A whole number of at least 1. */
export const positiveInteger = integer({ minimum: 1 });

/** A TCP port to listen on; 0 lets the system choose a free one. */
export const port: ValueType<number> = {
  ...integer({ minimum: 0, maximum: 65_535 }),
  takes: 'a port number from 0 to 65535',
};

/** A time in whole milliseconds, at least one and no longer than a timer can wait. */
export const durationMs: ValueType<number> = {
  ...integer({ minimum: 1, maximum: maxTimerMs }),
  takes: `a time in milliseconds from 1 to ${maxTimerMs}`,
};

/** A share of a whole. */
export const ratio: ValueType<number> = numberType(
  'a number from 0 to 1, such as 0.05',
  { type: 'number', minimum: 0, maximum: 1 },
  /^[01](?:\.\d{1,9})?$/,
  (value) => value >= 0 && value <= 1,
);

/** A number above 0, with or without a fraction. */
export const positiveNumber: ValueType<number> = numberType(
  'a number above 0',
  { type: 'number', minimum: 0 },
  /^\d{1,15}(?:\.\d{1,9})?$/,
  (value) => value > 0 && value < Number.POSITIVE_INFINITY,
);

function numberType(
  takes: string,
  schema: ValueType<number>['schema'],
  notation: RegExp,
  isAccepted: (value: number) => boolean,
): ValueType<number> {
  const read = (value: unknown) => (typeof value === 'number' && isAccepted(value) ? value : undefined);
  return { takes, schema, parse: (text) => (notation.test(text) ? read(Number(text)) : undefined), read };
}

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
