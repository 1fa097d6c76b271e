import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** Inclusive bounds. */
export interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
}

/** A whole number in decimal digits, within bounds. */
export function integer<const Options extends VariableOptions<number>>(
  bounds: Bounds,
  options: Options,
): Variable<number, Options> {
  return variable<number, Options>(
    {
      takes: `a whole number from ${bounds.minimum} to ${bounds.maximum}`,
      parse: (text) => parseInteger(text, bounds),
    },
    options,
  );
}

/** The number, or undefined where the text is anything but digits, after a minus at most, or is out of bounds. */
export function parseInteger(text: string, { minimum, maximum }: Bounds): number | undefined {
  const number = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  return number >= minimum && number <= maximum ? number : undefined;
}
