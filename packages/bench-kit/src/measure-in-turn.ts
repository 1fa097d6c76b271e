import { driveLoad, type LoadResult, type Request } from './drive-load.ts';
import { cpuSeconds } from './process-cost.ts';

/** Who is measured: a process that answers. */
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
  /** Told what happens, for whoever waits. */
  readonly note: (line: string) => void;
}

/** One round of one contender. */
export interface Measurement extends LoadResult {
  readonly contender: string;
  readonly cpuSeconds: number;
}

/** The warm-up is so much longer than a round: what compiles code in the meantime would count for whoever has more of it. */
const warmUpRounds = 3;

/**
 * Measures everyone in turn, several times: what else the machine does then falls on all of them. A round before the first
 * warms them up and counts for nothing.
 */
export async function measureInTurn(
  contenders: readonly Contender[],
  { rounds, seconds, connections, note }: MeasureOptions,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, pid, requestOf } of contenders) {
      note(round === 0 ? `warming up: ${name}` : `round ${round}: ${name}`);
      const cpuSecondsBefore = cpuSeconds(pid);
      const load = await driveLoad({
        requestOf,
        connections,
        seconds: round === 0 ? warmUpRounds * seconds : seconds,
      });
      if (round > 0) {
        measurements.push({ ...load, contender: name, cpuSeconds: cpuSeconds(pid) - cpuSecondsBefore });
      }
    }
  }
  return measurements;
}
