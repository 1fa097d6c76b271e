// `pnpm soak:executor --requests 200000`: what the executor holds after so many requests with timeouts, errors and hung-up clients.
import process from 'node:process';
import { parseArgs } from 'node:util';

import { countOf, flagsOrExit } from '../support/flags-or-exit.ts';
import type { Holdings } from './soak.ts';
import { soak } from './soak.ts';

const usage = `Usage: pnpm soak:executor [flags]

Sends requests through the executor to subgraphs that are slow, fail or hang up, and
prints what its process holds before and after: heap, buffers, sockets, timers.

  --requests <n>           how many (200000)
  --implementation <name>  of the HTTP client: own or undici (own)
  --help                   print this`;

const flags = flagsOrExit(usage, () => {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '200000' },
      implementation: { type: 'string', default: 'own' },
    },
  });
  const { implementation } = values;
  if (implementation !== 'own' && implementation !== 'undici') {
    throw new Error(`--implementation is "${implementation}"; it takes own or undici`);
  }
  return { requests: countOf('requests', values.requests), implementation } as const;
});

const { before, after, outcomes } = await soak({
  ...flags,
  onProgress: (done, holdings) => process.stdout.write(`${done} ${describe(holdings)}\n`),
});
process.stdout.write(`${JSON.stringify(outcomes)}\nbefore ${describe(before)}\nafter  ${describe(after)}\n`);

function describe({ heapBytes, bufferBytes, sockets, timers, listeners }: Holdings): string {
  const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `heap ${mebibytes(heapBytes)}, buffers ${mebibytes(bufferBytes)}, ${sockets} sockets, ${timers} timers, ${listeners} listeners`;
}
