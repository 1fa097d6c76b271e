import process from 'node:process';

/** Ends a check: prints each fault on its line, then the summary. The exit code is 1 when there is a fault. */
export function reportFaults(faults: readonly string[], summary: string): void {
  for (const fault of faults) {
    console.error(fault);
  }
  console.log(summary);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
