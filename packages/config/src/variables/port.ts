import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';
import { parseInteger } from './integer.ts';

/** A TCP port to listen on; 0 lets the system choose a free one. */
export function port<const Options extends VariableOptions<number>>(
  options: Options,
): Variable<number, Options> {
  return variable<number, Options>(
    {
      takes: 'a port number from 0 to 65535',
      parse: (text) => parseInteger(text, { minimum: 0, maximum: 65_535 }),
    },
    options,
  );
}
