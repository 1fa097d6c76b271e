// Clients that generators make from the OpenAPI documents. CI installs the one for Python (.ci/run), where pip can.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createTestIdentity } from '../../../packages/development/testing/src/index.ts';
import type { TestIdentity } from '../../../packages/development/testing/src/index.ts';
import type { ExampleFolders } from '../examples/run-page.ts';
import { copyExamples, pythonPackages, removeExamples, runPage } from '../examples/run-page.ts';
import { startRestService } from '../examples/start-rest-service.ts';
import type { RestService } from '../examples/start-rest-service.ts';

const generator = join(pythonPackages, 'bin/openapi-python-client');
const command = 'pip install --target .data/python openapi-python-client==0.29.1';
const [describeWithPython, remark] = existsSync(generator)
  ? ([describe, ''] as const)
  : ([describe.skip, ` (skipped, as it is not installed: ${command})`] as const);

let identity: TestIdentity;
let accounts: RestService;
let orders: RestService;
let copy: ExampleFolders;

beforeAll(async () => {
  identity = await createTestIdentity();
  accounts = await startRestService('accounts', identity);
  orders = await startRestService('orders', identity);
  copy = await copyExamples(new Map([['4001', Number(new URL(accounts.url).port)]]));
});

afterAll(async () => {
  removeExamples(copy);
  await orders.stop();
  await accounts.stop();
  await identity.close();
});

describe('openapi-typescript', () => {
  it('makes types of the API of orders that compile', () => {
    const cwd = join(copy.folder, 'typescript-client');
    const tsc = join(copy.folder, 'node_modules/.bin/tsc');
    execFileSync(process.execPath, ['generate.ts', `${orders.url}/openapi.json`, 'orders.d.ts'], { cwd });
    expect(() =>
      execFileSync(tsc, ['--noEmit', '--ignoreConfig', '--strict', 'orders.d.ts'], {
        cwd,
      }),
    ).not.toThrow();
  });
});

describeWithPython(`openapi-python-client${remark}`, () => {
  it('makes a client of accounts that does as the README of the example says', async () => {
    await expect(runPage('python-client/README.md', copy, await identity.token())).resolves.toBeUndefined();
  });

  it('makes a client of orders whose every module can be imported', () => {
    const cwd = join(copy.folder, 'python-client');
    const env = {
      ...process.env,
      PYTHONPATH: pythonPackages,
      PATH: `${pythonPackages}/bin:${process.env['PATH']}`,
    };
    const url = `${orders.url}/openapi.json`;
    execFileSync(
      generator,
      ['generate', '--url', url, '--meta', 'none', '--output-path', 'orders_client', '--fail-on-warning'],
      { cwd, env },
    );
    const modules = execFileSync('python3', ['-c', importAll], { cwd, env }).toString();
    expect(modules).toContain('orders_client.api.cancellations.create_cancellation');
  });
});

const importAll = `
import importlib, pkgutil, orders_client
for module in pkgutil.walk_packages(orders_client.__path__, "orders_client."):
    importlib.import_module(module.name)
    print(module.name)
`;
