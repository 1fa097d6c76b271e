import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectDatabase } from '@meridian/database';
import { createTestDatabase, eventually, runScript, startServiceProcess } from '@meridian/testing';
import type { TestDatabase } from '@meridian/testing';

const things = new URL('./fixtures/things-main.ts', import.meta.url);
const broken = new URL('./fixtures/broken-main.ts', import.meta.url);

describe("A subgraph's process", () => {
  let store: TestDatabase;
  let env: Record<string, string>;
  beforeAll(async () => {
    store = await createTestDatabase({
      migrations: new URL('fixtures/migrations/', import.meta.url),
      serviceRole: 'meridian_things',
    });
    env = {
      NODE_ENV: 'development',
      PORT: '0',
      ADMIN_PORT: '0',
      DATABASE_URL: store.serviceUrl,
      JWKS_URL: 'file:///nowhere/jwks.json',
      JWT_ISSUER: 'http://meridian.localhost',
    };
  });
  afterAll(() => store.drop());

  it('exits 1 and names the place when the schema and the resolvers do not match', async () => {
    const { code, stderr } = await runScript(broken, env);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^broken cannot start: \S+things\.graphql:\d+:3 Query\.thing has no resolver\n/);
    expect(stderr).not.toContain('    at ');
  });

  it('exits 1 with one line when its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    const { port } = other.address() as AddressInfo;
    const end = await runScript(things, { ...env, PORT: `${port}` });
    other.close();
    expect(end).toEqual({
      code: 1,
      // The log, which would have a stack.
      stdout: '',
      stderr: `things cannot start: Cannot listen on 127.0.0.1:${port}: the port is in use by another process\n`,
    });
  });

  it('exits 1 with one line when row-level security would not bind its role', async () => {
    const { code, stderr } = await runScript(things, {
      ...env,
      DATABASE_URL: store.adminUrl,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^things cannot start: The database role \S+ is a superuser, .*\n$/);
  });

  it.each([
    ['such a role', () => store.adminUrl, /"reason":"The database role \S+ is a superuser, /],
    [
      'a role that cannot be checked',
      () => store.serviceUrl,
      /"reason":"permission denied for view pg_roles"/,
    ],
  ])(
    'is not ready with %s that it finds after its start, when the store responds',
    async (_role, urlOf, reason) => {
      const url = new URL(urlOf());
      const server = { host: url.hostname, port: Number(url.port) };
      let isUp = false;
      const late = createTcpServer((socket) =>
        isUp ? pipeline(socket, connect(server), socket, () => {}) : socket.destroy(),
      );
      await once(late.listen(0, '127.0.0.1'), 'listening');
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
      url.port = String((late.address() as AddressInfo).port);
      const { child, adminUrl } = await startServiceProcess(things, { ...env, DATABASE_URL: url.href });
      let log = '';
      child.stdout.on('data', (text) => (log += text));
      const admin = connectDatabase({
        url: store.adminUrl,
        applicationName: 'test',
        poolSize: 1,
        statementTimeoutMs: 5000,
        logger: { warn: () => undefined },
      });
      await admin.query('revoke select on pg_catalog.pg_roles from public');
      isUp = true;
      try {
        await eventually(async () => {
          expect((await fetch(`${adminUrl}/readyz`)).status).toBe(503);
          expect(log).toMatch(reason);
        });
      } finally {
        child.kill('SIGKILL');
        late.close();
        await admin.query('grant select on pg_catalog.pg_roles to public');
        await admin.close();
      }
    },
  );

  it('exits 1 with a line for each variable at fault', async () => {
    const { code, stderr } = await runScript(things, {
      PORT: 'eighty',
      DATABASE_URL: 'mysql://root:hunter2@db/things',
      JWKS_URL: 'http://issuer.example/jwks.json',
      LOG_LEVEL: 'verbose',
      LOG_REQUEST_RATIO: '5%',
    });
    expect(code).toBe(1);
    const names = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split(' ', 1)[0]);
    expect(names).toEqual([
      'PORT',
      'DATABASE_URL',
      'JWT_ISSUER',
      'JWKS_URL',
      'PROBLEM_BASE_URL',
      'LOG_LEVEL',
      'LOG_REQUEST_RATIO',
    ]);
    expect(stderr).not.toContain('hunter2');
  });
});
