import { isIP } from 'node:net';

import { textType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/**
 * An absolute URL, read as the text that was given.
 *
 * @param schemes the schemes it may have, such as `https`
 */
export function url(schemes: readonly string[]): ValueType<string> {
  const starts = schemes.map((scheme) => `${scheme}://`);
  return textType(`a URL that starts with ${starts.join(' or ')}`, (text) =>
    // Looks at the text itself, since the URL parser also reads `https:host` and ignores spaces around.
    URL.canParse(text) && starts.some((start) => text.toLowerCase().startsWith(start)) ? text : undefined,
  );
}

/**
 * An address that clients see, with paths appended to it. So it must not have a query string or a fragment, nor a user
 * name or password.
 */
export const baseUrl: ValueType<string> = textType(
  'a URL that starts with https:// or http://, without credentials, query and fragment',
  (text) => (/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text) ? text : undefined),
);

/** The address to listen on: an IP address or a host name. Whether this machine has it shows when it listens. */
export const host: ValueType<string> = textType('an IP address or a host name', (text) =>
  isIP(text) !== 0 || (text.length <= 253 && hostName.test(text)) ? text : undefined,
);

/** Labels as in RFC 1123 §2.1. The last one has a letter: `127.0.0.256` is a mistyped address, not a name. */
const hostName = /^(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)*(?!\d+$)[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i;
