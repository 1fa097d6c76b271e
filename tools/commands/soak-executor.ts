// `pnpm soak:executor`: what the executor holds after many requests with timeouts, errors and hung-up clients.
import { flagValue, positiveInteger, readArgs, runCommand } from '@meridian/settings/command-line';

import { reportHoldings } from '../../packages/graph/executor/test/leaks/report-holdings.ts';

const help = `Usage: pnpm soak:executor [flags]

Sends requests through the executor to subgraphs that are slow, fail or hang up, and
prints what its process holds before and after: heap, buffers, sockets, timers.

  --requests <n>  how many (200000)
  --help          print this`;

await runCommand({
  name: 'pnpm soak:executor',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      requests: { type: 'string', default: '200000' },
    });
    return { requests: flagValue('--requests', flags.requests, positiveInteger) };
  },
  run: reportHoldings,
});
