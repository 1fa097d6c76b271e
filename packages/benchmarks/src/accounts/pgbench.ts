import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import type { Accounts } from './create-accounts.ts';

/** The statements of a PUT: the look-up, and the swap with its ledger entries. */
function scriptFor({ tenantId, count }: Accounts): string {
  return `\\set n random(${Math.ceil(count / 2)}, ${count - 1})
select revision from find_account('${tenantId}', 'account-' || :n) \\gset
select * from swap_account('${tenantId}', 'account-' || :n, :revision, :n);
`;
}

/**
 * Runs the machine's pgbench (Debian: postgresql-contrib) for a while; answers its transactions a second. Like the
 * service it prepares no statement ahead.
 */
export async function runPgbench(
  accounts: Accounts,
  { seconds, connections }: { readonly seconds: number; readonly connections: number },
): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'meridian-pgbench-'));
  try {
    const script = join(directory, 'put.sql');
    await writeFile(script, scriptFor(accounts));
    const url = new URL(accounts.url);
    const options = ['--no-vacuum', '--protocol=extended', `--client=${connections}`, '--jobs=1'];
    const child = spawn(
      'pgbench',
      [...options, `--time=${seconds}`, `--file=${script}`, url.pathname.slice(1)],
      {
        env: {
          PATH: process.env['PATH'],
          PGHOST: url.hostname,
          PGPORT: url.port,
          PGUSER: url.username,
          PGPASSWORD: url.password,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const rate = /^tps = ([\d.]+)/mu.exec(output)?.[1];
    if (rate === undefined) {
      throw new Error(`pgbench failed: ${errors}`);
    }
    return Number(rate);
  } finally {
    await rm(directory, { recursive: true });
  }
}
