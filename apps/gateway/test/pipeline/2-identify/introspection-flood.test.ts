import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

import { expect, it } from '@jest/globals';
import { eventually, listenOnLoopback } from '@meridian/testing';

import { useTestGateway } from '../../support/use-test-gateway.ts';

const operation = { query: 'query Time { time }' };
const gateway = useTestGateway();

/** The status of a request with this token over a connection from this address. */
async function statusFrom(localAddress: string, token: string): Promise<number | undefined> {
  const sent = request(gateway.url, {
    method: 'POST',
    localAddress,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
  });
  sent.end(JSON.stringify(operation));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- declared so by Node
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

it('An address that floods the gateway with made-up tokens keeps out no other', async () => {
  let isReady = false;
  const held: (() => void)[] = [];
  await using endpoint = await listenOnLoopback((incoming, response) => {
    const respond = (body: string): void => {
      const isGood = body.includes('good');
      const end = (): void =>
        void response.end(
          JSON.stringify(
            isGood
              ? { active: true, sub: 'alice', exp: Date.now() / 1000 + 60, token_type: 'Bearer' }
              : { active: false },
          ),
        );
      if (isGood || isReady) {
        end();
      } else {
        held.push(end);
      }
    };
    void text(incoming).then(respond);
  });
  await gateway.start({
    config: JSON.stringify({
      meridian: {
        authentication: {
          introspection: {
            endpoint: endpoint.url,
            client_id: 'a',
            client_secret: 'b',
            issuer: 'https://a.example',
          },
        },
      },
    }),
    env: { NODE_ENV: 'development' },
  });
  let rejected = 0;
  const flood = Array.from({ length: 160 }, async (_item, index) => {
    rejected += (await statusFrom('127.0.0.1', `made-up-${index}`)) === 503 ? 1 : 0;
  });
  await eventually(() => {
    expect(rejected).toBeGreaterThan(0);
    expect(held.length).toBeGreaterThanOrEqual(128);
  });
  expect(await statusFrom('127.0.0.2', 'good')).toBe(200);
  isReady = true;
  held.forEach((end) => end());
  await Promise.all(flood);
  expect(await statusFrom('127.0.0.1', 'good-again')).toBe(200);
});
