import { isIP } from 'node:net';

import { textType } from './value-type.ts';
import type { ValueType } from './value-type.ts';

/**
 * An absolute URL, read as the given text.
 *
 * @param schemes the allowed schemes, such as `https`
 */
export function url(schemes: readonly string[]): ValueType<string> {
  const starts = schemes.map((scheme) => `${scheme}://`);
  return textType(`a URL that starts with ${starts.join(' or ')}`, (text) =>
    // Checks the text itself, because the URL parser also accepts `https:host` and surrounding spaces.
    URL.canParse(text) && starts.some((start) => text.toLowerCase().startsWith(start)) ? text : undefined,
  );
}

/**
 * An address that clients see, to which paths are appended. So it must not have a query string, a fragment, a user name
 * or a password.
 */
export const baseUrl: ValueType<string> = textType(
  'a URL that starts with https:// or http://, without credentials, query and fragment',
  (text) => (/^https?:\/\/[^\s?#@]+$/i.test(text) && URL.canParse(text) ? text : undefined),
);

/** The address to listen on: an IP address or a host name. Not checked here: that this machine has it. */
export const host: ValueType<string> = textType('an IP address or a host name', (text) =>
  isIP(text) !== 0 || (text.length <= 253 && hostName.test(text)) ? text : undefined,
);

/** Labels as in RFC 1123 §2.1. The last one has a letter: `127.0.0.256` is a mistyped address, not a name. */
const hostName = /^(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)*(?!\d+$)[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i;
