import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** A share of a whole. */
export function ratio<const Options extends VariableOptions<number>>(
  options: Options,
): Variable<number, Options> {
  return variable<number, Options>(
    { takes: 'a number from 0 to 1, such as 0.05', parse: parseRatio },
    options,
  );
}

function parseRatio(text: string): number | undefined {
  return /^(?:0|1|0\.\d{1,9}|1\.0{1,9})$/.test(text) ? Number(text) : undefined;
}
