import type { RequestListener } from 'node:http';

import { afterAll, beforeAll } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { Scope } from '@meridian/auth';
import type { DevelopmentTokenClaims } from '@meridian/auth/development';
import { connectDatabase } from '@meridian/database';
import { ServiceStopping, createHttpServer, limitLoad, limitWaiting, problemRenderer } from '@meridian/http';
import type { LoadLimits, WaitingLimits } from '@meridian/http';
import { StopController } from '@meridian/cancellation';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { createTestDatabase, createTestIdentity, eventually, listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';
import { documentedResponses } from '@meridian/testing/openapi';
import { Client } from 'pg';
import supertest from 'supertest';

import { createApp } from '../src/app.ts';
import type { AppDependencies } from '../src/app.ts';
import { parseNetworks } from '../src/webhooks/address-policy.ts';
import { startDispatcher } from '../src/dispatch/start-dispatcher.ts';
import { webhookSettings } from '../src/webhooks/webhook-settings.ts';
import { isReplicated, startReplicas } from './replicas.ts';

const problemBaseUrl = 'https://meridian.example';

/** The accounts service of one suite, on a database of its own. */
export type RunningAccounts = Awaited<ReturnType<typeof startAccounts>>;

interface StartOptions {
  readonly requestDeadlineMs?: number;
  /** For an application in this process; a separate process derives it from its deadline. */
  readonly statementTimeoutMs?: number;
  readonly tenantRequestsPerSecond?: number;
  readonly load?: LoadLimits;
  readonly waiting?: WaitingLimits;
  /** True to send webhooks; they may be at loopback addresses, and plain HTTP. */
  readonly sendsWebhooks?: boolean;
}

/** The callers of a suite. */
const tenants = ['acme', 'globex'] as const;
const subjects = ['alice', 'bob'] as const;
const scopeLists = [
  ['accounts:read', 'accounts:write', 'transfers:write', 'events:read', 'webhooks:read', 'webhooks:write'],
  ['accounts:read'],
  ['accounts:write'],
] as const;

interface Who {
  readonly tenant?: (typeof tenants)[number];
  readonly subject?: (typeof subjects)[number];
  readonly scopes?: readonly Scope[];
}

/** The key of entity tags and of cursors: any secret that is long enough for a process to take. */
export const testKey = 'a key of the tests that is as long as it has to be';

/** The service of a suite: it starts before the tests, and stops after them. */
export function useAccounts(options?: StartOptions): RunningAccounts {
  let running: RunningAccounts | undefined;
  beforeAll(async () => {
    running = await startAccounts(options);
  });
  afterAll(() => running?.stop());
  return new Proxy({} as RunningAccounts, { get: (_none, name) => Reflect.get(Object(running), name) });
}

export async function startAccounts({
  requestDeadlineMs = 5_000,
  statementTimeoutMs = requestDeadlineMs * 0.9,
  tenantRequestsPerSecond = 10_000,
  load = { maxInFlight: 500, maxTenantInFlight: 200 },
  waiting = { maxWaiting: 5000, maxTenantWaiting: 2000 },
  sendsWebhooks = false,
}: StartOptions = {}) {
  const store = await createTestDatabase({
    migrations: new URL('../migrations/', import.meta.url),
    statementTimeoutMs,
  });
  const identity = await createTestIdentity();
  const verifier = createTokenVerifier({ issuers: [identity] });
  const logger = createLogger({ service: 'accounts', level: 'silent' });
  let databaseCalls = 0;
  const database = connectDatabase({
    url: store.serviceUrl,
    applicationName: 'accounts',
    poolSize: 10,
    statementTimeoutMs,
    logger,
    onCall: () => (databaseCalls += 1),
  });
  const metrics = createMetrics({ service: 'accounts' });
  const stopping = new StopController();
  const webhooks = webhookSettings({
    mode: 'development',
    webhookSecretKeys: [testKey],
    webhookAllowedAddresses: parseNetworks('127.0.0.0/8'),
  });
  const dispatcher =
    sendsWebhooks && webhooks ? startDispatcher(webhooks, { database, logger, metrics }) : undefined;
  const dependencies: AppDependencies = {
    database,
    mode: 'development',
    etagKeys: [testKey],
    cursorKeys: [testKey],
    verifier,
    limitLoad: limitLoad(load),
    waitingRequests: limitWaiting(waiting),
    stopping,
    logger,
    metrics,
    problemBaseUrl,
    requestDeadlineMs,
    tenantRequestsPerSecond,
    webhooks,
    onWrite: (tenantId) => dispatcher?.wake(tenantId),
  };
  const app = createApp(dependencies);
  const listen = (handler: RequestListener) =>
    listenOnLoopback(
      createHttpServer({ handler, renderProblem: problemRenderer(problemBaseUrl), logger, metrics }).server,
    );
  const server = isReplicated()
    ? await startReplicas({
        DATABASE_URL: store.serviceUrl,
        JWKS_URL: identity.jwksUrl.href,
        JWT_ISSUER: identity.issuer,
        JWT_AUDIENCE: identity.audience,
        PROBLEM_BASE_URL: problemBaseUrl,
        ETAG_KEYS: testKey,
        CURSOR_KEYS: testKey,
        WEBHOOK_SECRET_KEYS: testKey,
        WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.0/8',
        REQUEST_DEADLINE_MS: String(requestDeadlineMs),
        TENANT_REQUESTS_PER_SECOND: String(tenantRequestsPerSecond),
        MAX_REQUESTS_IN_FLIGHT: String(load.maxInFlight),
        MAX_TENANT_REQUESTS_IN_FLIGHT: String(load.maxTenantInFlight),
        MAX_WAITING_REQUESTS: String(waiting.maxWaiting),
        MAX_TENANT_WAITING_REQUESTS: String(waiting.maxTenantWaiting),
      })
    : await listen(app);
  const documented = await documentedResponses(server.url);
  // Superuser: reads the rows of all tenants, and obstructs the service.
  const admin = new Client(store.adminUrl);
  await admin.connect();

  const tokens = new Map<string, string>();
  for (const tenant of tenants) {
    for (const subject of subjects) {
      for (const scopes of scopeLists) {
        tokens.set(
          `${tenant} ${subject} ${scopes.join(' ')}`,
          await identity.token({ tenant, subject, scopes }),
        );
      }
    }
  }

  /**
   * Requests by a caller, by default alice of `acme` with all scopes. A body is JSON unless the test says otherwise.
   */
  function client(who?: Who) {
    return anonymous().set({ Authorization: authorizationOf(who), 'Content-Type': 'application/json' });
  }

  function authorizationOf({ tenant = 'acme', subject = 'alice', scopes = scopeLists[0] }: Who = {}): string {
    return `Bearer ${tokens.get(`${tenant} ${subject} ${scopes.join(' ')}`)}`;
  }

  /** Requests without a token. A response that the OpenAPI document does not have fails the test. */
  function anonymous() {
    return supertest.agent(server.url).use(documented);
  }

  const others: LoopbackServer[] = [];
  let accountsMade = 0;
  return {
    client,
    anonymous,
    /** For a request that supertest cannot send. */
    url: server.url,
    authorizationOf,
    token: (claims?: DevelopmentTokenClaims) => identity.token(claims),
    admin,
    /** The number of calls of the database by the service. */
    databaseCalls: () => databaseCalls,
    /** The database, with the service's role. */
    storeUrl: store.serviceUrl,

    /** Requests by a caller of `acme` to another instance of the service, with another setting. */
    async another(change: Partial<AppDependencies>) {
      const other = await listen(createApp({ ...dependencies, ...change }));
      others.push(other);
      return supertest
        .agent(other.url)
        .use(await documentedResponses(other.url))
        .set({ Authorization: authorizationOf(), 'Content-Type': 'application/json' });
    },

    /** The paths that the application serves, as OpenAPI writes them. */
    routes: () =>
      app.router.stack.flatMap(({ route }) => (route ? [route.path.replaceAll(/:(\w+)/g, '{$1}')] : [])),

    /** A new account, and the ETag of its default representation. */
    async create({
      tenant = 'acme',
      balance = 100n,
    }: {
      tenant?: (typeof tenants)[number];
      balance?: bigint;
    }) {
      const id = `account-${(accountsMade += 1)}`;
      const body = `{"id":"${id}","balance_minor_units":${balance}}`;
      const response = await client({ tenant }).post('/accounts').send(body).expect(201);
      return { id, etag: response.headers['etag'] ?? '' };
    },

    get: (path: string, who?: Who) => client(who).get(path),

    post: (path: string, body: string | object, who?: Who) => client(who).post(path).send(body),

    /** Writes a balance over the state that an ETag names. */
    put: (id: string, ifMatch: string, balance: number | bigint | string, who?: Who) =>
      client(who).put(`/accounts/${id}`).set('If-Match', ifMatch).send(`{"balance_minor_units":${balance}}`),

    async revisionOf(id: string): Promise<bigint> {
      const { rows } = await admin.query<{ revision: string }>(
        'select revision from accounts where id = $1',
        [id],
      );
      return BigInt(rows[0]?.revision ?? 0);
    },

    /** Another writer, which holds the account's row and has not committed yet. */
    async beginWrite(id: string) {
      await admin.query('begin');
      await admin.query('update accounts set revision = revision + 1 where id = $1', [id]);
      return { commit: () => admin.query('commit') };
    },

    /** Resolves once this many statements of the service wait for a lock. */
    async untilBlocked(count: 0 | 1 = 1): Promise<void> {
      await eventually(async () => {
        const waits = await store.countLockWaits('accounts');
        if (count === 0 ? waits > 0 : waits === 0) {
          throw new Error(`${waits} statements wait for a lock`);
        }
      });
    },

    async stop(): Promise<void> {
      stopping.abort(new ServiceStopping());
      await Promise.all([server, ...others].map((listening) => listening.close()));
      await dispatcher?.stop();
      await database.close();
      verifier.close();
      await admin.end();
      await identity.close();
      await store.drop();
    },
  };
}
