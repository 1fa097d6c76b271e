/** `pnpm usage`: who uses which fields. */
import process from 'node:process';

import { EnvironmentError } from '@meridian/config';
import { StoreTimeout, StoreUnavailable } from '@meridian/database';

import { describeUse } from '../usage/check-removals.ts';
import type { FieldUse } from '../usage/usage-records.ts';
import { readDays } from './read-days.ts';
import { runCommand } from './run-command.ts';
import { withUsageRecords } from './with-usage-records.ts';

const help = `Says which fields of the graph are used, how often, and by whom.

usage: pnpm usage [flags]

  --field <Type.field>   only this one; may stand several times
  --days <number>        of the last days, today included (30)
  --help                 print this

DATABASE_URL names the gateway's database, where usage is recorded.`;

await runCommand(
  {
    help,
    options: {
      field: { type: 'string', multiple: true },
      days: { type: 'string', default: '30' },
    },
    mendable: [EnvironmentError, StoreTimeout, StoreUnavailable],
    run: async ({ field: fields, days: daysText }) => {
      const days = readDays(daysText);
      const uses = await withUsageRecords((records) => records.uses(days, fields));
      process.stdout.write(report(uses, days));
    },
  },
  process.argv.slice(2),
);

function report(uses: readonly FieldUse[], days: number): string {
  if (uses.length === 0) {
    return `No use is recorded in the last ${days} days\n`;
  }
  const byField = [...Map.groupBy(uses, ({ field }) => field)];
  return byField.map(([field, ofField]) => paragraph(field, ofField)).join('');
}

function paragraph(field: string, uses: readonly FieldUse[]): string {
  const requests = uses.reduce((sum, use) => sum + use.requests, 0);
  const users = uses.map((use) => `  ${String(use.requests).padStart(10)}  ${describeUse(use)}\n`);
  return `${field}  ${requests} requests\n${users.join('')}`;
}
