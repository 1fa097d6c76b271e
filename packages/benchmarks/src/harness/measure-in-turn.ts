import { openClients } from './clients.ts';
import type { LoadResult, Request } from './clients.ts';
import { cpuSeconds } from './process-cost.ts';
import { shuffled } from './shuffled.ts';
import { warmUp } from './warm-up.ts';

/** A measured process. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  /** The n-th request that it gets. */
  readonly requestOf: (n: number) => Request;
}

export interface MeasureOptions {
  readonly rounds: number;
  /** Of one contender in one round. */
  readonly seconds: number;
  readonly connections: number;
  /** Called with progress lines. */
  readonly note: (line: string) => void;
}

/** One round of one contender. */
export interface Measurement extends LoadResult {
  readonly contender: string;
  readonly cpuSeconds: number;
}

/**
 * Measures everyone in turn, several times, in another order each time: what else the machine does then falls on all of
 * them. What comes before the first round warms them up and counts for nothing.
 */
export async function measureInTurn(
  contenders: readonly Contender[],
  { rounds, seconds, connections, note }: MeasureOptions,
): Promise<Measurement[]> {
  const measured = contenders.map((contender) => {
    const measurements: Measurement[] = [];
    return { ...contender, clients: openClients(connections), measurements };
  });
  for (const { name, pid, requestOf, clients } of measured) {
    note(`warming up: ${name}`);
    await warmUp(pid, (ofSeconds) => clients.load({ requestOf, seconds: ofSeconds }));
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, pid, requestOf, clients, measurements } of shuffled(measured)) {
      note(`round ${round}: ${name}`);
      const cpuSecondsBefore = cpuSeconds(pid);
      const load = await clients.load({ requestOf, seconds });
      measurements.push({ ...load, contender: name, cpuSeconds: cpuSeconds(pid) - cpuSecondsBefore });
    }
  }
  await Promise.all(measured.map(({ clients }) => clients.close()));
  return measured.flatMap(({ measurements }) => measurements);
}
