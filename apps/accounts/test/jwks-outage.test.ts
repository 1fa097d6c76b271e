import { readFile } from 'node:fs/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import { createTestIdentity, listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer, TestIdentity } from '@meridian/testing';

import { startAccounts } from './running-accounts.ts';
import type { RunningAccounts } from './running-accounts.ts';

const minuteMs = 60_000;

describe('An outage of the JWKS', () => {
  let accounts: RunningAccounts;
  let jwks: LoopbackServer;
  let verifier: TokenVerifier;
  /** One issuer with its current key, and with its next one. */
  let before: TestIdentity;
  let after: TestIdentity;
  let published: string;
  let isDown = false;
  let clockMs = Date.now();

  beforeAll(async () => {
    accounts = await startAccounts();
    [before, after] = await Promise.all([createTestIdentity(), createTestIdentity()]);
    published = await readFile(before.jwksUrl, 'utf8');
    jwks = await listenOnLoopback((_request, response) => {
      response.writeHead(isDown ? 503 : 200, { 'Content-Type': 'application/json' }).end(published);
    });
    verifier = createTokenVerifier({
      issuers: [{ issuer: before.issuer, audience: before.audience, jwksUrl: `${jwks.url}/jwks.json` }],
      now: () => clockMs,
    });
  });
  afterAll(async () => {
    verifier.close();
    await jwks.close();
    await Promise.all([before.close(), after.close()]);
    await accounts.stop();
  });

  it('leaves known keys valid, makes an unknown kid 503 with Retry-After, and ends when the keys are available', async () => {
    const client = await accounts.another({ verifier });
    const readAs = async (identity: TestIdentity) =>
      await client.get('/accounts/none').set('Authorization', `Bearer ${await identity.token()}`);
    // A known caller gets 404.
    expect((await readAs(before)).status).toBe(404);

    isDown = true;
    clockMs += 10 * minuteMs;
    expect((await readAs(before)).status).toBe(404);
    const refused = await readAs(after);
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '30']);
    expect(refused.text).toContain('/problems/unavailable');
    expect(refused.headers).not.toHaveProperty('www-authenticate');

    isDown = false;
    published = await readFile(after.jwksUrl, 'utf8');
    clockMs += minuteMs / 2;
    expect((await readAs(after)).status).toBe(404);
    // The old key is withdrawn: only the keys that the issuer publishes now are known.
    expect((await readAs(before)).status).toBe(401);
  });
});
