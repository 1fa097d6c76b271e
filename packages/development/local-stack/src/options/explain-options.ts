import { resolve } from 'node:path';

import { flagValue, readArgs } from '@meridian/settings/command-line';

import { defaultDataRoot } from '../data-directory.ts';

/** The arguments of `pnpm explain`. */
export type ExplainOptions = ReturnType<typeof readExplainOptions>;

export const explainHelp = `Usage: pnpm explain <trace id> [flags]

Says what happened to a recent request: who asked for what, what it cost, what was
fetched from which subgraph and how long that took, and the errors as they were
before they were masked.

The trace id is in every error that a client gets (extensions.traceId) and in the
header field apollo-trace-id of every response. A Request-Id does as well.

  --admin-url <url>   the gateway's admin listener (for the pnpm start that
                      runs, else http://127.0.0.1:8088)
  --json              as JSON
  --data <folder>     where the stack keeps its data (.data)
  --help              print this

EXPLAIN_SECRET      the secret of meridian.explain, for a gateway that is not the
                    one of pnpm start
`;

/**
 * Reads the command line of `pnpm explain`.
 *
 * @throws {UsageError} for arguments that it cannot take
 */
export function readExplainOptions(args: readonly string[]) {
  const {
    flags,
    others: [id = ''],
  } = readArgs(
    args,
    {
      'admin-url': { type: 'string' },
      json: { type: 'boolean', default: false },
      data: { type: 'string', default: defaultDataRoot },
    },
    ['<trace id>'],
  );
  const adminUrl = flags['admin-url'];
  return {
    id,
    /** The URL of the gateway's admin listener, without a path. Default: of the running stack. */
    adminUrl: adminUrl === undefined ? undefined : flagValue('--admin-url', adminUrl, anyUrl),
    json: flags.json,
    /** The data folder of the stack, as an absolute path. */
    dataRoot: resolve(flags.data),
  };
}

const anyUrl = { takes: 'a URL', parse: (text: string) => (URL.canParse(text) ? text : undefined) };
