import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/**
 * An address that clients see, with paths appended to it. So it must not have a query string or a fragment, nor a user
 * name or password.
 */
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
