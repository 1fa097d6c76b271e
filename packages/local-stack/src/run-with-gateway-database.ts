import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { checkout, dataDirectoryAt, defaultDataRoot } from './data-directory.ts';
import { databasePasswordPurpose } from './prepare/prepare-service.ts';
import { readStackRecord, serverUrlWithoutPassword } from './stack-record.ts';
import { openStackSecret } from './stack-secret.ts';

/**
 * Runs a program of the gateway with the words of this process's command line, and with the gateway's database: the one that
 * DATABASE_URL names, else that of the `pnpm start` that runs. Where there is neither, the program says so. The exit code is its own.
 *
 * @param program relative to the checkout
 */
export async function runWithGatewayDatabase(program: string): Promise<void> {
  const { dataRoot, rest } = takeDataRoot(process.argv.slice(2));
  const url = await databaseUrl(dataRoot, process.env['DATABASE_URL'] ?? '');
  const child = spawn(process.execPath, [join(checkout, program), ...rest], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  process.exitCode = typeof code === 'number' ? code : 1;
}

/** The program has no flag for where a stack keeps its data. */
function takeDataRoot(args: readonly string[]): {
  readonly dataRoot: string;
  readonly rest: readonly string[];
} {
  const at = args.indexOf('--data');
  const folder = args[at + 1];
  return at === -1 || folder === undefined
    ? { dataRoot: defaultDataRoot, rest: args }
    : { dataRoot: resolve(folder), rest: args.toSpliced(at, 2) };
}

/**
 * To `pnpm start`, DATABASE_URL names a server, on which it makes the gateway's database among others: whoever has exported it for
 * the stack that runs means that stack.
 */
async function databaseUrl(dataRoot: string, named: string): Promise<string | undefined> {
  const data = dataDirectoryAt(dataRoot);
  const record = readStackRecord(data.running);
  const isServerOfStack = record?.serverUrl === serverUrlWithoutPassword(named);
  if (record === undefined || (named !== '' && !isServerOfStack)) {
    return named === '' ? undefined : named;
  }
  const url = new URL(record.gatewayDatabaseUrl);
  url.password = (await openStackSecret(data.secret))(databasePasswordPurpose('gateway'));
  return url.href;
}
