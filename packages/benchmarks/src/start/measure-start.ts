import { createInterface } from 'node:readline';

import { cpuSeconds, residentMebibytes } from '../harness/process-cost.ts';
import type { Program } from '../harness/started-program.ts';
import { startProgram } from '../harness/started-program.ts';

/** The cost of a start up to a moment. */
export interface StartCost {
  /** Of all threads. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly mebibytes: number;
}

export interface Start {
  readonly ready: StartCost;
  /** All operations of the manifest are planned. */
  readonly planned: StartCost;
}

/**
 * Starts a gateway, and ends it when it has warmed up so many operations.
 *
 * @throws {Error} where it ends by itself
 */
export async function measureStart(gateway: Program, operations: number): Promise<Start> {
  const startedMs = performance.now();
  const program = startProgram(gateway);
  const cost = (): StartCost => ({
    cpuSeconds: cpuSeconds(program.pid),
    wallSeconds: (performance.now() - startedMs) / 1000,
    mebibytes: residentMebibytes(program.pid),
  });
  try {
    let ready: StartCost | undefined;
    let warmedUp = 0;
    for await (const text of createInterface({ input: program.stdout })) {
      const line: { readonly msg?: string; readonly total?: number; readonly address?: unknown } =
        JSON.parse(text);
      if (line.msg === 'operations warmed up') {
        warmedUp += line.total ?? 0;
      }
      if (line.address !== undefined) {
        ready = cost();
      }
      if (ready !== undefined && warmedUp === operations) {
        return { ready, planned: cost() };
      }
    }
    throw new Error(`The gateway ended after ${warmedUp} operations`);
  } finally {
    await program.stop();
  }
}
