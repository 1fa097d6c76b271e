import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

import { readApps } from '@meridian/local-stack/apps';
import { CommandError } from '@meridian/settings/command-line';
import { databaseOf } from '@meridian/database/database-of';

import type { GenerateOptions } from './generate-options.ts';

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
