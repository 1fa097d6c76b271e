// For `node --import`, before `pnpm check`: writes the time at which each phase ended into the file that PHASES_FILE
// names.
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import process from 'node:process';

/** The end of a phase, since the process started. */
export interface PhaseEnd {
  readonly phase: string;
  readonly wallSeconds: number;
  /** Of all threads. */
  readonly cpuSeconds: number;
}

const ends: PhaseEnd[] = [];
subscribe('meridian.check.phase', (phase) => ends.push(endOf(String(phase))));
process.on('exit', () => {
  writeFileSync(process.env['PHASES_FILE'] ?? '', JSON.stringify(ends));
});

function endOf(phase: string): PhaseEnd {
  const { user, system } = process.cpuUsage();
  return { phase, wallSeconds: performance.now() / 1000, cpuSeconds: (user + system) / 1e6 };
}
