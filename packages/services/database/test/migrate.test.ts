import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { provisionDatabase } from '../src/index.ts';
import { databaseName, dropDatabase, testServerUrl } from './notes-database.ts';

describe('pnpm migrate', () => {
  const name = databaseName();
  let ownerUrl: string;

  beforeAll(async () => {
    ({ ownerUrl } = await provisionDatabase({
      adminUrl: await testServerUrl(),
      database: name,
      serviceRole: 'meridian_accounts',
      servicePassword: 'service',
    }));
  });

  afterAll(async () => dropDatabase(await testServerUrl(), name));

  it("brings an app's database up to date, and says what it ran", async () => {
    await expect(migrate(['accounts'], ownerUrl)).resolves.toMatchObject({
      exitCode: 0,
      output: expect.stringMatching(/^0001-accounts\.sql\n(.*\.sql\n)*Ran \d+ migrations\n$/u),
    });
    await expect(migrate(['accounts'], ownerUrl)).resolves.toEqual({
      exitCode: 0,
      output: 'The database is up to date\n',
    });
  });

  it.each([
    [['nonsense'], /^<app> is "nonsense"; it takes accounts, gateway, .*: see pnpm migrate --help\n$/],
    [['../accounts'], /^<app> is "\.\.\/accounts"; it takes accounts, gateway, /],
    [[], /^<app> is missing: see pnpm migrate --help\n$/],
  ])('refuses %j in one line', async (programArguments, line) => {
    await expect(migrate(programArguments, ownerUrl)).resolves.toEqual({
      exitCode: 2,
      output: expect.stringMatching(line),
    });
  });

  it('exits with one line about a missing DATABASE_URL', async () => {
    await expect(migrate(['accounts'], '')).resolves.toEqual({
      exitCode: 1,
      output: 'DATABASE_URL is not set; it takes a URL that starts with postgres:// or postgresql://\n',
    });
  });

  it('exits with one line when no server listens', async () => {
    await expect(migrate(['accounts'], 'postgresql://nobody@127.0.0.1:1/nothing')).resolves.toEqual({
      exitCode: 1,
      output: 'Cannot migrate the database of accounts: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });
});

function migrate(
  programArguments: readonly string[],
  databaseUrl: string,
): Promise<{ exitCode: number | string | null | undefined; output: string }> {
  const program = fileURLToPath(new URL('../src/migrate.ts', import.meta.url));
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...programArguments],
      { env: { DATABASE_URL: databaseUrl } },
      (error, standardOutput, standardError) => {
        resolve({ exitCode: error === null ? 0 : error.code, output: standardOutput + standardError });
      },
    );
  });
}
