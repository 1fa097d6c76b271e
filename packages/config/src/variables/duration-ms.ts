import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';
import { parseInteger } from './integer.ts';

/** The longest that `setTimeout` can wait; anything longer would fire at once. */
const longestTimerMs = 2_147_483_647;

/** A time in whole milliseconds, at least one and no longer than a timer can wait. */
export function durationMs<const Options extends VariableOptions<number>>(
  options: Options,
): Variable<number, Options> {
  return variable<number, Options>(
    {
      takes: `a time in milliseconds from 1 to ${longestTimerMs}`,
      parse: (text) => parseInteger(text, { minimum: 1, maximum: longestTimerMs }),
    },
    options,
  );
}
