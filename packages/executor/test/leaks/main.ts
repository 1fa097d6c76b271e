// `pnpm soak:executor --requests 200000`: what the executor holds after so many requests with timeouts, errors and hung-up clients.
import process from 'node:process';
import { parseArgs } from 'node:util';

import type { Holdings } from './soak.ts';
import { soak } from './soak.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    implementation: { type: 'string', default: 'own' },
  },
});

const { before, after, outcomes } = await soak({
  requests: Number(values.requests),
  implementation: values.implementation === 'undici' ? 'undici' : 'own',
  onProgress: (done, holdings) => process.stdout.write(`${done} ${describe(holdings)}\n`),
});
process.stdout.write(`${JSON.stringify(outcomes)}\nbefore ${describe(before)}\nafter  ${describe(after)}\n`);

function describe({ heapBytes, bufferBytes, sockets, timers, listeners }: Holdings): string {
  const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `heap ${mebibytes(heapBytes)}, buffers ${mebibytes(bufferBytes)}, ${sockets} sockets, ${timers} timers, ${listeners} listeners`;
}
