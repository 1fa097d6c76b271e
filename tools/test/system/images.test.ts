// Every app as its image starts it, without Docker: the steps of the Dockerfile, the environment and the migrations of
// the Compose file, in production. What an image lacks, it lacks here.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';

import { variableOf } from '../../../packages/apps/src/index.ts';
import { databaseOf } from '../../../packages/database/src/database-of.ts';
import { provisionDatabase } from '../../../packages/database/src/index.ts';
import { createSelfSignedCertificate } from '../../../packages/testing/src/index.ts';
import { startPostgres } from '../../../packages/postgres/src/index.ts';
import type { RunningPostgres } from '../../../packages/postgres/src/index.ts';
import { createTestIdentity, startServiceCommand } from '../../../packages/testing/src/index.ts';
import type { ServiceProcess, TestIdentity } from '../../../packages/testing/src/index.ts';
import { pathOf, shippedSubgraphs } from '../graph/shipped-subgraphs.ts';
import { runDockerfile } from './run-dockerfile.ts';
import type { Image } from './run-dockerfile.ts';

interface ComposeService {
  readonly build?: { readonly dockerfile: string; readonly args: { readonly APP: string } };
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** The gateway last: it gets the URLs of the others. */
const apps = ['accounts', ...shippedSubgraphs, 'gateway'];
const path = [dirname(process.execPath), process.env['PATH']].join(delimiter);

let workspace: string;
let services: Readonly<Record<string, ComposeService>>;
let postgres: RunningPostgres;
let identity: TestIdentity;
/** Publishes the identity's keys. */
let issuer: Server;
let token: string;
const images = new Map<string, Image>();
const started = new Map<string, ServiceProcess>();

const serviceNamed = (name: string): ComposeService => {
  const service = services[name];
  if (service === undefined) {
    throw new Error(`docker/compose.yaml has no service ${name}`);
  }
  return service;
};

async function imageOf(app: string): Promise<Image> {
  const { build } = serviceNamed(app);
  const folder = join(workspace, app);
  await mkdir(folder);
  return await runDockerfile({
    context: pathOf(''),
    dockerfile: build?.dockerfile ?? '',
    buildArguments: build?.args ?? {},
    workspace: folder,
  });
}

/** The environment of the Compose file, with what is elsewhere here. */
function environmentOf(app: string): Record<string, string> {
  const { environment } = serviceNamed(app);
  const here: Readonly<Record<string, string | undefined>> = {
    JWKS_URL: `https://127.0.0.1:${portOf(issuer)}/jwks.json`,
    JWT_ISSUER: identity.issuer,
    PROBLEM_BASE_URL: 'https://api.example.org',
    ETAG_KEYS: 'a key of the tests that is as long as it has to be',
    CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
    DATABASE_URL: `postgresql://${databaseOf(app)}:service@127.0.0.1:${postgres.port}/${databaseOf(app)}`,
    ...Object.fromEntries(
      shippedSubgraphs.map((name) => [variableOf(name), `${started.get(name)?.url}/graphql`]),
    ),
  };
  // Without Redis each process counts for itself.
  const { REDIS_URL: _, ...rest } = environment;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, here[name] ?? value]));
}

/** Starts an app from its image. The gateway gets the URLs of those that started before it. */
async function start(app: string): Promise<ServiceProcess> {
  const image = images.get(app);
  return await startServiceCommand(image?.command ?? [], {
    cwd: image?.directory ?? '',
    env: {
      PATH: path,
      ...image?.environment,
      ...environmentOf(app),
      NODE_EXTRA_CA_CERTS: join(workspace, 'issuer.pem'),
      HOST: '127.0.0.1',
      PORT: '0',
      ADMIN_PORT: '0',
    },
  });
}

beforeAll(async () => {
  ({ services } = parse(await readFile(pathOf('docker/compose.yaml'), 'utf8'), { merge: true }));
  workspace = await mkdtemp(join(tmpdir(), 'meridian-images-'));
  identity = await createTestIdentity();
  token = await identity.token();
  const keys = await readFile(identity.jwksUrl);
  const certificate = createSelfSignedCertificate();
  await writeFile(join(workspace, 'issuer.pem'), certificate.cert);
  issuer = createServer(certificate, (_, response) => {
    response.setHeader('Content-Type', 'application/json').end(keys);
  });
  issuer.listen(0, '127.0.0.1');
  await once(issuer, 'listening');
  postgres = await startPostgres({
    dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-images-postgres-')),
    port: 0,
    settings: { fsync: 'off' },
    isThrowaway: true,
  });
  for (const app of apps) {
    images.set(app, await imageOf(app));
    const database = databaseOf(app);
    await provisionDatabase({
      adminUrl: postgres.url,
      database,
      serviceRole: database,
      servicePassword: 'service',
    });
  }
});

afterAll(async () => {
  for (const { child } of started.values()) {
    child.kill('SIGKILL');
  }
  await Promise.all([...started.values()].map(({ exited }) => exited));
  await postgres.stop();
  issuer.close();
  issuer.closeAllConnections();
  await identity.close();
  await rm(workspace, { recursive: true });
});

it('The service migrate of the Compose file migrates the database of every app, in its image', async () => {
  const { build, command } = serviceNamed('migrate');
  const [program = '', ...args] = command.map((word) => word.replaceAll('$$', '$'));
  const owner = new URL(postgres.url);
  owner.pathname = '';
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: images.get(build?.args.APP ?? '')?.directory ?? '',
    env: { PATH: path, OWNER_URL: owner.href.replace(/\/$/u, '') },
  });
  expect(stdout.match(/^Ran \d+ migrations?$/gmu)).toHaveLength(apps.length);
});

it.each(apps)('The image of %s starts, alive and ready', async (app) => {
  const service = await start(app);
  started.set(app, service);
  const statuses = ['/livez', '/readyz'].map(async (probe) => (await fetch(service.adminUrl + probe)).status);
  expect(await Promise.all(statuses)).toEqual([200, 200]);
});

it('The image of accounts creates an account', async () => {
  const response = await fetch(`${started.get('accounts')?.url}/accounts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: '{"id":"savings","balance_minor_units":1}',
  });
  expect(response.status).toBe(201);
});

it("The image of the gateway answers an operation of the manifest with the subgraphs' data", async () => {
  const manifest: { readonly operations: readonly { readonly id: string; readonly name: string }[] } =
    JSON.parse(await readFile(pathOf('persisted-queries.json'), 'utf8'));
  const sha256Hash = manifest.operations.findLast(({ name }) => name === 'TopProducts')?.id;
  const response = await fetch(`${started.get('gateway')?.url}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      variables: { first: 2 },
      extensions: { persistedQuery: { version: 1, sha256Hash } },
    }),
  });
  expect(await response.json()).toEqual({ data: { topProducts: [] } });
});

it.each([...apps].toReversed())('The image of %s exits 0 on SIGTERM', async (app) => {
  expect(await started.get(app)?.stop()).toBe(0);
});

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new Error('the issuer does not listen');
  }
  return address.port;
}
