// `pnpm soak:executor --requests 200000`: what the executor holds after so many requests with timeouts, errors and hung-up clients.
import process from 'node:process';

import { UsageError, readArgs, runCommand, wholeNumber } from '@meridian/command-line';

import type { Holdings } from './soak.ts';
import { soak } from './soak.ts';

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
  async run(options) {
    const { before, after, outcomes } = await soak({
      ...options,
      onProgress: (done, holdings) => process.stdout.write(`${done} ${describe(holdings)}\n`),
    });
    process.stdout.write(
      `${JSON.stringify(outcomes)}\nbefore ${describe(before)}\nafter  ${describe(after)}\n`,
    );
  },
});

function describe({ heapBytes, bufferBytes, sockets, timers, listeners }: Holdings): string {
  const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `heap ${mebibytes(heapBytes)}, buffers ${mebibytes(bufferBytes)}, ${sockets} sockets, ${timers} timers, ${listeners} listeners`;
}
