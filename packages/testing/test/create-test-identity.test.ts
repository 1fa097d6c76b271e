import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTokenVerifier } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';

import { createTestIdentity } from '../src/index.ts';
import type { TestIdentity } from '../src/index.ts';

describe('createTestIdentity', () => {
  let identity: TestIdentity;
  let verifier: TokenVerifier;

  beforeAll(async () => {
    identity = await createTestIdentity();
    verifier = createTokenVerifier({ issuers: [identity] });
  });

  afterAll(async () => {
    verifier.close();
    await identity.close();
  });

  it('makes tokens that a service accepts, of the caller that the test names', async () => {
    const token = await identity.token({ tenant: 'globex', subject: 'bob', scopes: ['orders:read'] });
    await expect(verifier.verify(token)).resolves.toMatchObject({
      tenantId: 'globex',
      subject: 'bob',
      scopes: new Set(['orders:read']),
    });
  });

  it('makes tokens that no service of another suite accepts', async () => {
    const other = await createTestIdentity();
    await expect(verifier.verify(await other.token())).rejects.toMatchObject({ status: 401 });
    await other.close();
  });
});
