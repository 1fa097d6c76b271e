import { isIP } from 'node:net';

import { variable } from '../variable.ts';
import type { Variable, VariableOptions } from '../variable.ts';

/**
 * The address to listen on: an IP address or a host name. Whether this machine has it shows when it listens.
 */
export function host<const Options extends VariableOptions<string>>(
  options: Options,
): Variable<string, Options> {
  return variable<string, Options>({ takes: 'an IP address or a host name', parse: parseHost }, options);
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || (text.length <= 253 && hostName.test(text)) ? text : undefined;
}

/** Labels as in RFC 1123 §2.1. The last one has a letter: `127.0.0.256` is a mistyped address, not a name. */
const hostName = /^(?:[\da-z](?:[\da-z-]{0,61}[\da-z])?\.)*(?!\d+$)[\da-z](?:[\da-z-]{0,61}[\da-z])?$/i;
