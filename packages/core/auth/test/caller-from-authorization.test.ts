import { describe, expect, it } from '@jest/globals';
import { callerFromAuthorization } from '@meridian/auth';
import { invalidToken } from './support/problems.ts';
import { createSigner } from './support/signer.ts';
import { createStage } from './support/stage.ts';

const signer = createSigner();
const { verifier } = createStage([signer.jwk]);

describe('callerFromAuthorization', () => {
  it.each(['Bearer ', 'bearer ', 'BEARER ', 'Bearer   '])('accepts a token after %j', async (scheme) => {
    const caller = await callerFromAuthorization(`${scheme}${signer.token()}`, verifier);
    expect(caller).toMatchObject({ tenantId: 'acme', subject: 'alice' });
  });

  it.each([undefined, '', 'Bearer', 'Bearer ', 'Basic YWxpY2U6c2VjcmV0', 'Bearertoken', signer.token()])(
    'answers authentication-required to %j, which has no bearer token',
    async (header) => {
      await expect(callerFromAuthorization(header, verifier)).rejects.toMatchObject({
        kind: 'authentication-required',
        status: 401,
        headers: { 'WWW-Authenticate': 'Bearer realm="meridian"' },
      });
    },
  );

  it.each([
    'Bearer nonsense',
    'Bearer a.b.c',
    'Bearer two tokens',
    'Bearer {"alg":"none"}',
    'Bearer tökén',
    'Bearer ..',
    'Bearer =',
  ])('answers invalid-token to %j', async (header) => {
    await expect(callerFromAuthorization(header, verifier)).rejects.toMatchObject(invalidToken);
  });

  it('answers invalid-token to two tokens in one header', async () => {
    const header = `Bearer ${signer.token()}, Bearer ${signer.token()}`;
    await expect(callerFromAuthorization(header, verifier)).rejects.toMatchObject(invalidToken);
  });
});
