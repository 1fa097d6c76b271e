import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** Any text that is not empty. */
export function string<const Options extends VariableOptions<string>>(
  options: Options,
): Variable<string, Options> {
  return variable<string, Options>({ takes: 'a text', parse: (text) => text }, options);
}
