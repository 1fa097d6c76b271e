import { cpuSeconds, processTree } from './process-cost.ts';

/** For a contender with one workload. */
const maxWarmUpSeconds = 15;
/** A contender is warm after this many seconds without a new best. */
const secondsWithoutProgress = 3;
/** A second counts as a new best when it has this many times the throughput of the best before. */
const progress = 1.03;

/**
 * Loads a process until its requests per CPU second rise no more, one second at a time. V8 compiles hot code for many
 * seconds, on another thread of the process; a round in that time would measure the compiler.
 */
export async function warmUp(
  pid: number,
  load: (seconds: number) => Promise<{ readonly requests: number }>,
): Promise<void> {
  // With several workers, their primary process uses next to nothing itself.
  const usedSeconds = (): number => processTree(pid).reduce((sum, one) => sum + cpuSeconds(one), 0);
  let best = 0;
  for (
    let second = 0, bestSecond = 0;
    second < maxWarmUpSeconds && second - bestSecond <= secondsWithoutProgress;
    second += 1
  ) {
    const cpuBefore = usedSeconds();
    const { requests } = await load(1);
    const throughput = requests / (usedSeconds() - cpuBefore);
    if (throughput > best * progress) {
      best = throughput;
      bestSecond = second;
    }
  }
}
