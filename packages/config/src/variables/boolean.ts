import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** `true` or `false`, spelt so: `0`, `no` and the like are refused rather than guessed at. */
export function boolean<const Options extends VariableOptions<boolean>>(
  options: Options,
): Variable<boolean, Options> {
  return variable<boolean, Options>({ takes: 'true or false', parse: parseBoolean }, options);
}

function parseBoolean(text: string): boolean | undefined {
  return text === 'true' || (text === 'false' ? false : undefined);
}
