// `pnpm usage`: who uses which fields.
import process from 'node:process';

import { counted, readWords, runCommand } from '@meridian/command-line';

import { describeUse } from '../usage/check-removals.ts';
import type { FieldUse } from '../usage/usage-records.ts';
import { mendableError } from './mendable-error.ts';
import { readDays } from './read-days.ts';
import { withUsageRecords } from './with-usage-records.ts';

const help = `Usage: pnpm usage [flags]

Says which fields of the graph are used, how often, and by whom.

  --field <Type.field>   only this one; may stand several times
  --days <number>        of the last days, today included (30)
  --data <folder>        where pnpm start keeps its data (.data)
  --help                 print this

DATABASE_URL   the gateway's database, where usage is recorded (that of the pnpm start
               that runs, also while this names the server it was started with)`;

await runCommand({
  name: 'pnpm usage',
  help,
  read(words) {
    const { flags } = readWords(words, {
      field: { type: 'string', multiple: true },
      days: { type: 'string', default: '30' },
    });
    return { fields: flags.field, days: readDays(flags.days) };
  },
  async run({ fields, days }) {
    const uses = await withUsageRecords((records) => records.uses(days, fields));
    process.stdout.write(report(uses, days));
  },
  lineFor: mendableError,
});

function report(uses: readonly FieldUse[], days: number): string {
  if (uses.length === 0) {
    return `No use is recorded in the last ${counted(days, 'day')}\n`;
  }
  const byField = [...Map.groupBy(uses, ({ field }) => field)];
  return byField.map(([field, ofField]) => paragraph(field, ofField)).join('');
}

function paragraph(field: string, uses: readonly FieldUse[]): string {
  const requests = uses.reduce((sum, use) => sum + use.requests, 0);
  const users = uses.map((use) => `  ${String(use.requests).padStart(10)}  ${describeUse(use)}\n`);
  return `${field}  ${counted(requests, 'request')}\n${users.join('')}`;
}
