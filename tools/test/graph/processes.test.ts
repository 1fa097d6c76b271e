// A subgraph's process loses no request when it is restarted: each one in CI, the first elsewhere. All have the same kit.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createIdentifier } from '../../../packages/services/subgraph/src/index.ts';
import { probesOf } from '../../../packages/services/subgraph/test/support/index.ts';
import type { GraphqlBody } from '../../../packages/services/subgraph/test/support/index.ts';
import {
  casesOf,
  createTestDatabase,
  createTestIdentity,
  startServiceProcess,
} from '../../../packages/development/testing/src/index.ts';
import type {
  ServiceProcess,
  TestDatabase,
  TestIdentity,
} from '../../../packages/development/testing/src/index.ts';
import { pathOf, schemaOf, shippedSubgraphs, startOptionsOf } from './shipped-subgraphs.ts';

describe.each(casesOf(shippedSubgraphs))('The process of the subgraph %s', (name) => {
  const identifier = createIdentifier();
  /** An operation for each way in that only reads. */
  const documents = probesOf(schemaOf(name))
    .filter(({ place }) => !place.startsWith('Mutation'))
    .map((probe) => probe.document(identifier));
  let store: TestDatabase;
  let identity: TestIdentity;
  let token: string;
  let subgraph: ServiceProcess;

  const start = () =>
    startServiceProcess(new URL(`file://${pathOf(`apps/${name}/src/main.ts`)}`), {
      DATABASE_URL: store.serviceUrl,
      JWKS_URL: identity.jwksUrl.href,
      JWT_ISSUER: identity.issuer,
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      SHUTDOWN_GRACE_MS: '10000',
    });

  async function ask(query: string, agent?: Agent): Promise<GraphqlBody> {
    const sent = request(`${subgraph.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(agent === undefined ? {} : { agent }),
    });
    sent.end(JSON.stringify({ query }));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    if (response === undefined) {
      throw new Error('no response');
    }
    return (await json(response)) as GraphqlBody;
  }

  beforeAll(async () => {
    store = await createTestDatabase(await startOptionsOf(name));
    identity = await createTestIdentity();
    token = await identity.token();
    subgraph = await start();
  });
  afterAll(async () => {
    await subgraph.stop();
    await identity.close();
    await store.drop();
  });

  it('loses no request when it is restarted twice under load', async () => {
    const expected = await Promise.all(documents.map((document) => ask(document)));
    const load = new AbortController();
    const outcomes: unknown[] = [];
    const wrong: unknown[] = [];
    const clients = Array.from({ length: 6 }, async () => {
      // One connection for each, always in use: a client on an idle connection has to be ready to send again.
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let n = 0; !load.signal.aborted; n = (n + 1) % documents.length) {
        const response = await ask(documents[n] ?? '', agent).catch((error: unknown) => error);
        if (isUnconnected(response)) {
          // Nobody listens: the request was never taken on.
          await delay(25);
        } else {
          outcomes.push(response);
          if (JSON.stringify(response) !== JSON.stringify(expected[n])) {
            wrong.push(response);
          }
        }
      }
      agent.destroy();
    });
    const respondsMore = async () => {
      const enough = outcomes.length + 30;
      while (outcomes.length < enough && wrong.length === 0) {
        await delay(5);
      }
    };

    for (let restart = 1; restart <= 2; restart += 1) {
      await respondsMore();
      expect(await subgraph.stop()).toBe(0);
      // On another port: a connection may use the previous one by now.
      subgraph = await start();
    }
    await respondsMore();
    load.abort();
    await Promise.all(clients);
    expect(wrong).toEqual([]);
  });
});

function isUnconnected(outcome: unknown): boolean {
  return outcome instanceof Error && 'code' in outcome && outcome.code === 'ECONNREFUSED';
}
