// `pnpm soak:executor`: what the executor holds after many requests with timeouts, errors and hung-up clients.
import { UsageError, readArgs, runCommand, wholeNumber } from '@meridian/command-line';

import { reportHoldings } from '../../packages/executor/test/leaks/report-holdings.ts';

const help = `Usage: pnpm soak:executor [flags]

Sends requests through the executor to subgraphs that are slow, fail or hang up, and
prints what its process holds before and after: heap, buffers, sockets, timers.

  --requests <n>           how many (200000)
  --implementation <name>  of the HTTP client: own or undici (own)
  --help                   print this`;

await runCommand({
  name: 'pnpm soak:executor',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      requests: { type: 'string', default: '200000' },
      implementation: { type: 'string', default: 'own' },
    });
    const { implementation } = flags;
    if (implementation !== 'own' && implementation !== 'undici') {
      throw new UsageError(`--implementation is ${JSON.stringify(implementation)}; it takes own or undici`);
    }
    return { requests: wholeNumber('--requests', flags.requests), implementation } as const;
  },
  run: reportHoldings,
});
