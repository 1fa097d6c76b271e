// The Compose file's services, each from its image, on a machine without Docker; what a newcomer does, against them.
// The images are built before: `pnpm images test`.
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createSelfSignedCertificate } from '../../../packages/development/testing/src/index.ts';
import { readApps } from '../../../packages/development/local-stack/src/apps/index.ts';
import { paste } from '../../../packages/development/local-stack/test/e2e/paste.ts';
import { tryIt } from '../../../packages/development/local-stack/src/try-it/try-it.ts';
import { startPostgres } from '../../../packages/development/postgres/src/index.ts';
import type { RunningPostgres } from '../../../packages/development/postgres/src/index.ts';
import { createTestIdentity, eventually } from '../../../packages/development/testing/src/index.ts';
import type { TestIdentity } from '../../../packages/development/testing/src/index.ts';
import { imageOf } from '../../images/build-images.ts';
import { readComposeServices } from '../../images/compose-project.ts';
import type { ComposeService } from '../../images/compose-project.ts';
import { findRunner, readImage } from '../../images/containers.ts';
import type { Container, ContainerRunner } from '../../images/containers.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const apps = readApps('.').map(({ name }) => name);
/** All containers have one loopback interface, so each has an admin port of its own. */
const adminPortOf = (app: string): string => String(18_080 + apps.indexOf(app));
const certificateInside = '/run/issuer.pem';

let folder: string;
let runner: ContainerRunner;
let postgres: RunningPostgres;
let redis: ChildProcess;
let identity: TestIdentity;
let issuer: Server;
let services: readonly ComposeService[];
const running = new Map<string, Container>();

const serviceNamed = (name: string): ComposeService => {
  const service = services.find((each) => each.name === name);
  if (service === undefined) {
    throw new Error(`docker/compose.yaml has no service ${name}`);
  }
  return service;
};

const containerOf = (name: string): Container => {
  const container = running.get(name);
  if (container === undefined) {
    throw new Error(`${name} was not started`);
  }
  return container;
};

async function start(name: string, command?: readonly string[]): Promise<Container> {
  const service = serviceNamed(name);
  const isApp = apps.includes(name);
  return await runner.start({
    ...service,
    name: command === undefined ? name : `${name}-${command[0]}`,
    image: imageOf(service.app ?? ''),
    command: command ?? service.command,
    environment: {
      ...service.environment,
      NODE_EXTRA_CA_CERTS: certificateInside,
      ...(isApp && { ADMIN_PORT: adminPortOf(name) }),
    },
    files: { [certificateInside]: join(folder, 'issuer.pem') },
    hosts: services.map((each) => each.name),
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-images-'));
  const certificate = createSelfSignedCertificate();
  await writeFile(join(folder, 'issuer.pem'), certificate.cert, { mode: 0o644 });
  identity = await createTestIdentity();
  const keys = await readFile(identity.jwksUrl);
  issuer = createServer(certificate, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end(keys);
  });
  issuer.listen(8443, '127.0.0.1');
  await once(issuer, 'listening');

  postgres = await startPostgres({
    dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-images-postgres-')),
    port: 5432,
    settings: { fsync: 'off' },
    isThrowaway: true,
  });
  const secret = 'a key of the tests that is as long as it has to be';
  services = readComposeServices(await readFile(pathOf('docker/compose.yaml'), 'utf8'), {
    JWKS_URL: 'https://127.0.0.1:8443/jwks.json',
    JWT_ISSUER: identity.issuer,
    PROBLEM_BASE_URL: 'http://127.0.0.1:4001',
    ETAG_KEYS: secret,
    CURSOR_KEYS: secret,
    POSTGRES_PASSWORD: new URL(postgres.url).password,
    SERVICE_PASSWORD: 'service',
  });
  // As the image of PostgreSQL runs it.
  await promisify(execFile)('psql', ['--set=ON_ERROR_STOP=1', '--file=docker/provision.sql', postgres.url], {
    env: { ...process.env, ...serviceNamed('postgres').environment },
  });
  const [program = '', ...flags] = serviceNamed('redis').command;
  redis = spawn(program, flags, { cwd: folder, stdio: 'ignore' });
  runner = await findRunner(imageOf('accounts'));
});

afterAll(async () => {
  await Promise.all([...running.values()].map((container) => container.stop()));
  redis.kill('SIGKILL');
  issuer.close();
  issuer.closeAllConnections();
  await postgres.stop();
  await identity.close();
  await rm(folder, { recursive: true });
});

describe.each(apps)('The image of %s', (app) => {
  it('has a numbered user, a health check and labels', async () => {
    const { user, healthCheck, labels } = await readImage(imageOf(app));
    expect(user).toBe('1000:1000');
    expect(healthCheck).toContain('node');
    expect(labels).toMatchObject({
      'org.opencontainers.image.title': `meridian-${app}`,
      'org.opencontainers.image.version': expect.stringMatching(/^\d+\.\d+\.\d+/u),
    });
  });
});

it('The service migrate brings the databases of all apps up to date, and ends with 0', async () => {
  const migrate = await start('migrate');
  expect(await migrate.exited).toBe(0);
  expect(migrate.output().match(/^Ran \d+ migrations?$/gmu)).toHaveLength(apps.length);
});

it('The services start, and each becomes healthy by the check of its image', async () => {
  for (const app of apps) {
    running.set(app, await start(app));
  }
  for (const app of apps) {
    const { healthCheck } = await readImage(imageOf(app));
    const container = containerOf(app);
    const ended = container.exited.then((code) =>
      Promise.reject(new Error(`${app} ended with ${code}: ${container.output()}`)),
    );
    const healthy = eventually(async () => expect(await container.run(healthCheck)).toBe(''));
    await Promise.race([healthy, ended]);
  }
});

it.each(apps)(
  'The image of %s holds a bill of its materials, and its container writes to /tmp alone',
  async (app) => {
    const script = 'touch /tmp/a-file && ! touch /meridian/a-file && ! touch /a-file && cat sbom.cdx.json';
    const container = await start(app, ['sh', '-c', script]);
    expect(await container.exited).toBe(0);
    const bill: { readonly components: readonly { readonly name: string }[] } = JSON.parse(
      container.output(),
    );
    expect(bill.components.length).toBeGreaterThan(50);
  },
);

it.each(apps.filter((app) => !['accounts', 'gateway'].includes(app)))(
  'The image of %s inserts the demo data',
  async (app) => {
    const seed = await start(app, ['node', 'app/src/seed.ts']);
    expect(await seed.exited).toBe(0);
  },
);

it("The newcomer's commands work against the services", async () => {
  const manifest: { readonly operations: readonly { readonly id: string; readonly name: string }[] } =
    JSON.parse(await readFile(pathOf('persisted-queries.json'), 'utf8'));
  const lines = tryIt({
    token: await identity.token(),
    tokenTtlHours: 1,
    accountsUrl: 'http://127.0.0.1:4001',
    accountId: 'savings',
    graphUrl: 'http://127.0.0.1:4000/graphql',
    queryIdentifier: manifest.operations.findLast(({ name }) => name === 'TopProducts')?.id ?? '',
  });
  const { code, output } = await paste(lines.join('\n'));
  expect(output.match(/HTTP\/1\.1 \d+/gu)).toEqual([
    'HTTP/1.1 201',
    'HTTP/1.1 304',
    'HTTP/1.1 200',
    'HTTP/1.1 200',
    'HTTP/1.1 200',
  ]);
  expect(output.match(/\{"data":\{"topProducts":\[\{"id":/gu)).toHaveLength(2);
  expect(code).toBe(0);
});

it('The image of the gateway has no explorer: that page is for development', async () => {
  expect((await fetch('http://127.0.0.1:4000/explorer')).status).toBe(404);
});

it.each([...apps].toReversed())('The container of %s exits 0 on SIGTERM', async (app) => {
  const container = containerOf(app);
  running.delete(app);
  expect(await container.stop()).toBe(0);
});
