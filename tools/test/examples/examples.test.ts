// Runs every example as its README says.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createTestIdentity } from '../../../packages/development/testing/src/index.ts';
import type { TestIdentity } from '../../../packages/development/testing/src/index.ts';
import type { ExampleFolders } from './run-page.ts';
import { copyExamples, exampleNames, needsPython, removeExamples, runPage } from './run-page.ts';
import { startRestService } from './start-rest-service.ts';
import type { RestService } from './start-rest-service.ts';

let identity: TestIdentity;
let accounts: RestService;
let copy: ExampleFolders;

beforeAll(async () => {
  identity = await createTestIdentity();
  accounts = await startRestService('accounts', identity);
  copy = await copyExamples(new Map([['4001', Number(new URL(accounts.url).port)]]));
});

afterAll(async () => {
  removeExamples(copy);
  await accounts.stop();
  await identity.close();
});

describe('The example', () => {
  // tools/test/system/generated-clients.test.ts has the others.
  it.each(exampleNames.filter((name) => !needsPython(name)))('%s runs as its README says', async (name) => {
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
