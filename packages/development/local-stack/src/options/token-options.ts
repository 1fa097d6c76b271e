import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError, flagValue, readArgs } from '@meridian/settings/command-line';
import { parseDuration } from '@meridian/settings/values';

import { defaultDataRoot } from '../data-directory.ts';
import { knownScopes } from '../apps/services.ts';

/** The token that `pnpm run token` prints. */
export type TokenOptions = ReturnType<typeof readTokenOptions>;

/** The text of `--help`. */
export const tokenHelp = (): string => `Usage: pnpm run token [flags]

Prints a token that the services of pnpm start take, alone on standard output:

  curl -H "Authorization: Bearer $(pnpm --silent run token)" …

  --tenant <id>      whose data it reaches (acme)
  --subject <id>     who is asking (alice)
  --scope <scopes>   what it allows, separated by spaces (all of them):
${scopeLines(knownScopes())}
  --ttl <time>       how long it is valid, such as 90s, 15m, 1h or 7d (1h);
                     services accept it 30 s longer, as clocks differ
  --data <folder>    where the stack keeps its data (.data)
  --help             print this
`;

/**
 * Reads the flags of `pnpm run token`.
 *
 * @throws {UsageError} for a flag that it cannot take
 */
export function readTokenOptions(args: readonly string[]) {
  const { flags } = readArgs(args, {
    tenant: { type: 'string', default: 'acme' },
    subject: { type: 'string', default: 'alice' },
    scope: { type: 'string', default: knownScopes().join(' ') },
    ttl: { type: 'string', default: '1h' },
    data: { type: 'string', default: defaultDataRoot },
  });
  return {
    tenant: flagValue('--tenant', flags.tenant, name),
    subject: flagValue('--subject', flags.subject, name),
    scopes: flags.scope.split(/\s+/u).filter((scope) => scope !== ''),
    ttlSeconds: flagValue('--ttl', flags.ttl, seconds),
    /** The data folder of the stack whose services accept the token, as an absolute path. */
    dataRoot: readFolder(flags.data),
  };
}

/** Three in a line, in the column of the help's descriptions. */
function scopeLines(scopes: readonly string[]): string {
  const lines: string[] = [];
  for (let at = 0; at < scopes.length; at += 3) {
    lines.push(`${' '.repeat(21)}${scopes.slice(at, at + 3).join(' ')}`);
  }
  return lines.join('\n');
}

/** A name that services accept. Without spaces: one most likely comes from a wrong quote. */
const name = {
  takes: '1 to 255 characters without a space',
  parse: (text: string) => (/^[^\s\p{Cc}\p{Cs}]{1,255}$/u.test(text) ? text : undefined),
};

/** A folder other than the default must exist: a new key would sign tokens that no service accepts. */
function readFolder(text: string): string {
  if (text !== defaultDataRoot && !existsSync(text)) {
    throw new UsageError(`--data is ${JSON.stringify(text)}; there is no such folder`);
  }
  return resolve(text);
}

/** A number without a unit means seconds. */
const seconds = {
  takes: 'a time such as 90s, 15m, 1h or 7d',
  parse(text: string): number | undefined {
    const [, number, unit = 's'] = /^([1-9]\d{0,5})([smhd])?$/u.exec(text) ?? [];
    const milliseconds = number === undefined ? undefined : parseDuration(`${number}${unit}`);
    return milliseconds && milliseconds / 1000;
  },
};
