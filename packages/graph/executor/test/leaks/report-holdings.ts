import process from 'node:process';

import type { Holdings, SoakOptions } from './soak.ts';
import { soak } from './soak.ts';

/** Prints what the executor's process holds before and after many requests. */
export async function reportHoldings(options: Omit<SoakOptions, 'onProgress'>): Promise<void> {
  const { before, after, outcomes } = await soak({
    ...options,
    onProgress: (done, holdings) => process.stdout.write(`${done} ${describe(holdings)}\n`),
  });
  process.stdout.write(
    `${JSON.stringify(outcomes)}\nbefore ${describe(before)}\nafter  ${describe(after)}\n`,
  );
}

function describe({ heapBytes, bufferBytes, sockets, timers, listeners }: Holdings): string {
  const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  return `heap ${mebibytes(heapBytes)}, buffers ${mebibytes(bufferBytes)}, ${sockets} sockets, ${timers} timers, ${listeners} listeners`;
}
