import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/** An address that clients are shown, with paths put behind it: so nothing may follow its own path, and nobody's password be in it. */
export function baseUrl<const Options extends VariableOptions<string>>(
  options: Options,
): Variable<string, Options> {
  return variable<string, Options>(
    {
      takes: 'a URL that starts with https:// or http://, without credentials, query and fragment',
      parse: (text) => (/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text) ? text : undefined),
    },
    options,
  );
}
