import { describe, expect, it } from '@jest/globals';
import { invalidToken } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';
import { createStage } from '../support/stage.ts';

const signer = createSigner();

describe('TokenVerifier.verify, reading claims,', () => {
  it('returns the caller that they describe', async () => {
    const { verifier } = createStage([signer.jwk]);
    const token = signer.token({ scope: 'accounts:read accounts:write', roles: ['ignored'] });
    await expect(verifier.verify(token)).resolves.toEqual({
      tenantId: 'acme',
      subject: 'alice',
      issuer: 'https://issuer.example',
      scopes: new Set(['accounts:read', 'accounts:write']),
      expiresAt: startSeconds + 3600,
    });
  });

  it.each(['iss', 'aud', 'exp', 'sub', 'tenant_id'])('refuses a token without %s', async (claim) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token({ [claim]: undefined }))).rejects.toMatchObject({
      ...invalidToken,
      detail: `The token lacks the claim ${claim}.`,
    });
  });

  it.each(['nbf', 'iat', 'scope'])('accepts a token without %s', async (claim) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token({ [claim]: undefined }))).resolves.toMatchObject({
      subject: 'alice',
    });
  });

  it.each([
    [{ aud: 'another' }, 'The token is for another audience.'],
    [{ nbf: startSeconds + 3600 }, 'The token is not valid yet.'],
    [{ iat: startSeconds + 3600 }, 'The token was issued in the future.'],
    [{ iat: 'today' }, 'The claim iat of the token is of the wrong type.'],
    [{ iss: 7 }, 'The claim iss of the token is of the wrong type.'],
    [{ exp: startSeconds - 3600 }, 'The token has expired.'],
    [{ exp: String(startSeconds + 3600) }, 'The claim exp of the token is of the wrong type.'],
    [{ iss: 'https://stranger.example' }, 'The token is not from a trusted issuer.'],
  ])('names the fault of a token of %j', async (claims, detail) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token(claims))).rejects.toMatchObject({ ...invalidToken, detail });
  });

  it.each([
    ['iss', 'https://stranger.example'],
    ['iss', ['https://issuer.example']],
    ['iss', 'https://issuer.example/'],
    ['aud', 'meridian-admin'],
    ['aud', ''],
    ['aud', 1],
    ['aud', []],
    ['aud', ['other', 'another']],
    ['exp', String(startSeconds + 3600)],
    ['exp', null],
    ['nbf', String(startSeconds)],
    ['nbf', true],
    ['sub', ''],
    ['sub', 42],
    ['sub', null],
    ['sub', 'a\0b'],
    ['sub', 'a'.repeat(256)],
    ['tenant_id', ''],
    ['tenant_id', ['acme']],
    ['tenant_id', { id: 'acme' }],
    ['tenant_id', 'acme\n'],
    ['tenant_id', 'a'.repeat(256)],
    ['scope', ['accounts:read', 1]],
    ['scope', 1],
    ['scope', null],
  ])('refuses a token whose %s is %j', async (claim, value) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token({ [claim]: value }))).rejects.toMatchObject(invalidToken);
  });

  it.each([
    [['finance', 'audit'], new Set(['finance', 'audit'])],
    ['finance audit', new Set(['finance', 'audit'])],
    [['finance', 1, null, ''], new Set(['finance'])],
    [[], undefined],
    [{ finance: true }, undefined],
    [undefined, undefined],
  ])('reads policies from %j, and grants none for an invalid name', async (policies, held) => {
    const { verifier } = createStage([signer.jwk]);
    expect((await verifier.verify(signer.token({ policies }))).policies).toEqual(held);
  });

  it('accepts a list of audiences that holds its own', async () => {
    const { verifier } = createStage([signer.jwk]);
    const token = signer.token({ aud: ['other', 'meridian'] });
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
  });

  it.each([
    [undefined, []],
    ['', []],
    [' ', []],
    ['  a   b ', ['a', 'b']],
    ['a a', ['a']],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
  ])('reads the scope %j as %j', async (scope, scopes) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token({ scope }))).resolves.toMatchObject({
      scopes: new Set(scopes),
    });
  });
});

describe('TokenVerifier.verify, comparing times,', () => {
  it.each([
    ['exp', startSeconds - 29],
    ['exp', startSeconds + 1],
    ['nbf', startSeconds],
    ['nbf', startSeconds + 30],
    ['iat', startSeconds + 30],
  ])('accepts %s %d, which is within 30 s of 1800000000', async (claim, seconds) => {
    const { verifier } = createStage([signer.jwk]);
    const token = signer.token({ [claim]: seconds });
    await expect(verifier.verify(token)).resolves.toMatchObject({ subject: 'alice' });
  });

  it.each([
    ['exp', startSeconds - 30, 'The token has expired.'],
    ['exp', 0, 'The token has expired.'],
    ['nbf', startSeconds + 31, 'The token is not valid yet.'],
    ['iat', startSeconds + 31, 'The token was issued in the future.'],
  ])('refuses %s %d, which is not', async (claim, seconds, detail) => {
    const { verifier } = createStage([signer.jwk]);
    await expect(verifier.verify(signer.token({ [claim]: seconds }))).rejects.toMatchObject({
      ...invalidToken,
      detail,
    });
  });

  it('has the tolerance of its option', async () => {
    const { verifier } = createStage([signer.jwk], { clockToleranceSeconds: 0 });
    const token = signer.token({ exp: startSeconds });
    await expect(verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });
});
