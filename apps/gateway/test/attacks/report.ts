// What each attack costs the gateway, beside a large operation that is legal: `pnpm attacks`. The figures are of the gateway's process
// alone, with the shipped router.yaml and with an empty one.
import { readArgs, runCommand } from '@meridian/command-line';

import type { AttackedProcess } from './attacked-process.ts';
import { attackOpen, attackShipped } from './attacked-process.ts';
import type { Row } from './measure-attacks.ts';
import { attacksOn, measure, measureLegal } from './measure-attacks.ts';

const effort = { requests: 10, stalls: 4 };
const longestStallMs = 50;

const help = `Usage: pnpm attacks

Measures what hostile requests and lying subgraphs cost the gateway in CPU time, and how long
they keep it from anything else, beside a large operation that is legal: docs/attacks.md.
Takes some minutes.

  --help  print this

Exit code: 0 when none costs more than the legal operation or stalls the gateway for more
than ${longestStallMs} ms, 1 when one does, 2 for a wrong call.`;

await runCommand({ name: 'pnpm attacks', help, read: (args) => readArgs(args, {}), run: report });

async function report(): Promise<void> {
  const areHeld = [await reportOn(attackOpen), await reportOn(attackShipped)];
  process.exitCode = areHeld.every(Boolean) ? 0 : 1;
}

/** Whether no attack costs more than it may. */
async function reportOn(start: () => Promise<AttackedProcess>): Promise<boolean> {
  const target = await start();
  try {
    const legal = await measureLegal(target, effort);
    const rows: Row[] = [];
    for (const attack of attacksOn(target)) {
      const row = await measure(target, attack, effort);
      process.stderr.write(`${row.name}: ${row.cpuMs.toFixed(1)} ms\n`);
      rows.push(row);
    }
    // It is measured at both ends: what the engine has learnt meanwhile is no merit of the attacks.
    const legalAgain = await measureLegal(target, effort);
    return print(target.name, legal.cpuMs < legalAgain.cpuMs ? legal : legalAgain, rows);
  } finally {
    await target.close();
  }
}

function print(name: string, legal: Row, rows: readonly Row[]): boolean {
  const line = ({ name: request, response, cpuMs, stallMs }: Row): string =>
    [
      cpuMs.toFixed(1).padStart(8),
      `${(cpuMs / legal.cpuMs).toFixed(2)} ×`.padStart(8),
      stallMs.toFixed(0).padStart(7),
      response.padEnd(38),
      request,
    ].join('  ');
  const sorted = rows.toSorted((one, other) => other.cpuMs - one.cpuMs);
  const dearer = rows.filter(({ cpuMs }) => cpuMs > legal.cpuMs);
  const stalling = rows.filter(({ stallMs }) => stallMs > longestStallMs);
  process.stdout.write(
    [
      `With ${name}: CPU of the gateway for one request, and the longest stall of its event loop`,
      '',
      '  CPU ms  of legal  stall ms  answer                                request',
      line(legal),
      ...sorted.map(line),
      '',
      `${dearer.length} of ${rows.length} cost more than the large legal operation; ${stalling.length} stall the event loop for more than ${longestStallMs} ms.`,
      '',
      '',
    ].join('\n'),
  );
  return dearer.length === 0 && stalling.length === 0;
}
