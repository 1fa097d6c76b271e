// Runs every example as its README says.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import {
  createTestDatabase,
  createTestIdentity,
  startServiceProcess,
} from '../../../packages/development/testing/src/index.ts';
import type {
  ServiceProcess,
  TestDatabase,
  TestIdentity,
} from '../../../packages/development/testing/src/index.ts';
import type { ExampleFolders } from './run-page.ts';
import { copyExamples, exampleNames, removeExamples, runPage } from './run-page.ts';

const accountsApp = new URL('../../../apps/accounts/', import.meta.url);

let database: TestDatabase;
let identity: TestIdentity;
let accounts: ServiceProcess;
let copy: ExampleFolders;

beforeAll(async () => {
  identity = await createTestIdentity();
  database = await createTestDatabase({
    migrations: new URL('migrations/', accountsApp),
    serviceRole: 'meridian_accounts',
  });
  accounts = await startServiceProcess(new URL('src/main.ts', accountsApp), {
    DATABASE_URL: database.serviceUrl,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    ETAG_KEYS: 'a key of the tests that is as long as it has to be',
    CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
  });
  copy = await copyExamples(new Map([['4001', Number(new URL(accounts.url).port)]]));
});

afterAll(async () => {
  removeExamples(copy);
  await accounts.stop();
  await database.drop();
  await identity.close();
});

describe('The example', () => {
  it.each(exampleNames)('%s runs as its README says', async (name) => {
    await expect(runPage(`${name}/README.md`, copy, await identity.token())).resolves.toBeUndefined();
  });
});

describe('docs/first-gateway.md', () => {
  it('has commands that print what it says', async () => {
    await expect(runPage('first-gateway/README.md', copy)).resolves.toBeUndefined();
  });
});

describe('The list of examples', () => {
  it('has each of them', () => {
    const readme = readFileSync(new URL('../../../examples/README.md', import.meta.url), 'utf8');
    const listed = Array.from(readme.matchAll(/^\| \[([^\]]+)\]/gmu), ([, name]) => name);
    expect(new Set(listed)).toEqual(new Set(exampleNames));
  });
});
