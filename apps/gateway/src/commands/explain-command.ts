import process from 'node:process';

import type { Command } from '@meridian/settings/command-line';
import { CommandError, UsageError, readArgs } from '@meridian/settings/command-line';

import type { ExplanationCall } from './print-explanation.ts';
import { printExplanation, usualAdminUrl } from './print-explanation.ts';

/** The command that shows what happened to a recent request. */
export function explainCommand(name: string): Command<ExplanationCall> {
  return {
    name,
    help: `Usage: ${name} <trace id> [flags]

Shows what happened to a recent request: who asked for what, what it cost, what was
fetched from which subgraph and how long that took, and the errors as they were
before they were masked. The gateway needs meridian.explain in its router.yaml.

The trace id is in every error that a client gets (extensions.traceId) and in the
header field apollo-trace-id of every response. A Request-Id does as well.

  --admin-url <url>   the gateway's admin listener (${usualAdminUrl})
  --json              as JSON
  --help              print this

EXPLAIN_SECRET        meridian.explain.secret of that gateway
`,
    read(args) {
      const options = {
        'admin-url': { type: 'string', default: usualAdminUrl },
        json: { type: 'boolean', default: false },
      } as const;
      const {
        flags: { 'admin-url': adminUrl, json },
        others: [id = ''],
      } = readArgs(args, options, ['<trace id>']);
      if (!URL.canParse(adminUrl)) {
        throw new UsageError(`--admin-url is ${JSON.stringify(adminUrl)}; it takes a URL`);
      }
      const secret = process.env['EXPLAIN_SECRET'];
      if (secret === undefined) {
        throw new CommandError('EXPLAIN_SECRET is not set: it is the meridian.explain.secret of the gateway');
      }
      return { id, adminUrl, secret, json };
    },
    run: printExplanation,
  };
}
