import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

import { readApps } from '@meridian/local-stack/apps';
import { CommandError, flagValue, integer, readArgs } from '@meridian/settings/command-line';
import { databaseOf } from '@meridian/database/database-of';

/**
 * Runs the generator of each app.
 *
 * @throws {CommandError} when one fails
 */
export async function generateData({ serverUrl, environment }: GenerateOptions): Promise<void> {
  const apps = readApps('.').map(({ name }) => name);
  for (const app of apps.filter((name) => existsSync(`apps/${name}/src/generate.ts`))) {
    if ((await generate(app, serverUrl, environment)) !== 0) {
      throw new CommandError(
        `${app} broke off. Run the same command again: what is there stays, and is not made twice`,
      );
    }
  }
}

/** Between two lines of an app. */
const stepPercent = 5;

/** Settles with the exit code of the app's generator, whose own lines on standard error say what is wrong. */
async function generate(
  app: string,
  serverUrl: string,
  environment: NodeJS.ProcessEnv,
): Promise<number | null> {
  const url = new URL(serverUrl);
  url.pathname = `/${databaseOf(app)}`;
  const child = spawn(process.execPath, [`apps/${app}/src/generate.ts`], {
    env: { ...process.env, ...environment, DATABASE_URL: url.href },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let shownPercent = -1;
  for await (const line of createInterface(child.stdout)) {
    const [, done, total] = /^seed (\d+) (\d+)$/u.exec(line) ?? [];
    const percent = Math.floor((100 * Number(done)) / Number(total));
    if (percent >= shownPercent + stepPercent || percent === 100) {
      shownPercent = percent;
      console.log(`${app}: ${done} of ${total}`);
    }
  }
  await ended;
  return child.exitCode;
}

export const generateHelp = `Usage: pnpm generate-data [flags]

Fills a tenant with products, users, reviews, customers and orders.

  --tenant <name>    the tenant (big)
  --products <n>     (200000)
  --reviews <n>      (5000000)
  --orders <n>       (1000000)
  --help             print this

DATABASE_URL is a PostgreSQL server, as a superuser, with the databases that
DATABASE_URL=<server> pnpm start has made there. What is there stays as it is:
run again after a failure, or with higher numbers, to go on. To start over, take
another tenant.
`;

/** The data to generate, and the target. */
interface GenerateOptions {
  readonly serverUrl: string;
  /** The environment of each app's generator. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Reads the flags and the environment of `pnpm generate-data`.
 *
 * @throws {UsageError} for a flag, {CommandError} for a variable that it cannot take
 */
export function readGenerateOptions(
  args: readonly string[],
  { DATABASE_URL: serverUrl = '' }: NodeJS.ProcessEnv,
): GenerateOptions {
  const { tenant, products, reviews, orders } = readArgs(args, {
    tenant: { type: 'string', default: 'big' },
    products: { type: 'string', default: '200000' },
    reviews: { type: 'string', default: '5000000' },
    orders: { type: 'string', default: '1000000' },
  }).flags;
  const environment = {
    GENERATE_TENANT: tenant,
    GENERATE_PRODUCTS: count('--products', products),
    GENERATE_REVIEWS: count('--reviews', reviews),
    GENERATE_ORDERS: count('--orders', orders),
  };
  if (!/^postgres(?:ql)?:\/\//u.test(serverUrl) || !URL.canParse(serverUrl)) {
    throw new CommandError(
      'DATABASE_URL takes the URL of a server, such as postgresql://postgres:secret@127.0.0.1:5432',
    );
  }
  return { serverUrl, environment };
}

function count(flag: string, text: string): string {
  return String(flagValue(flag, text, integer({ minimum: 1, maximum: 99_999_999 })));
}
