import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/**
 * An absolute URL, read as the text that was given. Mark it secret when it may hold a password.
 *
 * @param schemes the schemes it may have, such as `https`
 */
export function url<const Options extends VariableOptions<string>>(
  schemes: readonly string[],
  options: Options,
): Variable<string, Options> {
  return variable<string, Options>(
    {
      takes: `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
      parse: (text) => (URL.canParse(text) && hasScheme(text, schemes) ? text : undefined),
    },
    options,
  );
}

/** Looks at the text itself, since the URL parser also reads `https:host` and ignores spaces around. */
function hasScheme(text: string, schemes: readonly string[]): boolean {
  return schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}://`));
}
