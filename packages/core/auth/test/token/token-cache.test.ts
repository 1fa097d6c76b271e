import { describe, expect, it } from '@jest/globals';
import { knownCaller } from '@meridian/auth';
import { invalidToken } from '../support/problems.ts';
import { createSigner, startSeconds } from '../support/signer.ts';
import { createStage } from '../support/stage.ts';

const signer = createSigner();
const token = signer.token();

// A remembered token gives the very same caller; one that is verified again gives an equal one.
describe('TokenVerifier.verify remembers a verified token', () => {
  it('for just under 60 s', async () => {
    const { verifier, advance } = createStage([signer.jwk]);
    const caller = await verifier.verify(token);
    advance(59.999);
    expect(await verifier.verify(token)).toBe(caller);
  });

  it('for no more than 60 s, however often it is used', async () => {
    const { verifier, advance } = createStage([signer.jwk]);
    const caller = await verifier.verify(token);
    advance(30);
    await verifier.verify(token);
    advance(30);
    expect(await verifier.verify(token)).not.toBe(caller);
  });

  it('never past its exp', async () => {
    const { verifier, advance } = createStage([signer.jwk]);
    const shortLived = signer.token({ exp: startSeconds + 10 });
    const caller = await verifier.verify(shortLived);
    advance(9.999);
    expect(await verifier.verify(shortLived)).toBe(caller);
    advance(0.001);
    const again = await verifier.verify(shortLived);
    expect(again).not.toBe(caller);
    expect(await verifier.verify(shortLived)).not.toBe(again);
    advance(30);
    await expect(verifier.verify(shortLived)).rejects.toMatchObject(invalidToken);
  });

  it('also by the frozen fields that hold it, until the token is forgotten', async () => {
    const { verifier, advance } = createStage([signer.jwk]);
    const fields = Object.freeze({ authorization: `Bearer ${token}` });
    expect(knownCaller(fields, verifier)).toBeUndefined();
    const caller = await verifier.verify(token);
    expect([knownCaller(fields, verifier), knownCaller(fields, verifier)]).toEqual([caller, caller]);
    advance(60);
    expect(knownCaller(fields, verifier)).toBeUndefined();
  });

  it('not by fields whose token may change', async () => {
    const { verifier } = createStage([signer.jwk]);
    const fields = { authorization: `Bearer ${token}` };
    expect(knownCaller(fields, verifier)).toBeUndefined();
    const caller = await verifier.verify(token);
    expect(knownCaller(fields, verifier)).toBe(caller);
    fields.authorization = `Bearer ${signer.token({ sub: 'other' })}`;
    expect(knownCaller(fields, verifier)).toBeUndefined();
  });

  it('until its key leaves the JWKS', async () => {
    const other = createSigner('ES256', 'key-2');
    const stage = createStage([signer.jwk, other.jwk]);
    await stage.verifier.verify(token);
    stage.keys = [createSigner('ES256', 'key-3').jwk];
    const unknown = createSigner('ES256', 'key-4').token();
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('until its key is replaced under the same kid', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.keys = [createSigner().jwk];
    const unknown = createSigner('ES256', 'key-2').token();
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('until its key is no longer for signatures', async () => {
    const stage = createStage([signer.jwk]);
    await stage.verifier.verify(token);
    stage.keys = [{ ...signer.jwk, use: 'enc' }];
    const unknown = createSigner('ES256', 'key-2').token();
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    await expect(stage.verifier.verify(token)).rejects.toMatchObject(invalidToken);
  });

  it('while its key is published again and again', async () => {
    const stage = createStage([signer.jwk]);
    const caller = await stage.verifier.verify(token);
    const unknown = createSigner('ES256', 'key-2').token();
    await expect(stage.verifier.verify(unknown)).rejects.toMatchObject(invalidToken);
    expect(stage.requests).toHaveLength(2);
    expect(await stage.verifier.verify(token)).toBe(caller);
  });

  it('until too many others have come', async () => {
    const { verifier } = createStage([signer.jwk], { maxCachedTokens: 2 });
    const [oldest, ...others] = ['alice', 'bob', 'carol'].map((sub) => signer.token({ sub }));
    const first = await verifier.verify(oldest ?? '');
    for (const other of others) {
      await verifier.verify(other);
    }
    const last = await verifier.verify(others[1] ?? '');
    expect(last).toMatchObject({ subject: 'carol' });
    expect(await verifier.verify(others[1] ?? '')).toBe(last);
    expect(await verifier.verify(oldest ?? '')).not.toBe(first);
  });

  it('until all claims of the others, where they are kept, take too much', async () => {
    const trusted = {
      issuer: 'https://issuer.example',
      audience: 'meridian',
      jwksUrl: 'https://issuer.example/jwks.json',
    };
    const { verifier } = createStage([signer.jwk], { issuers: [{ ...trusted, keptClaims: 'all' }] });
    const first = await verifier.verify(token);
    expect(first.claims?.get('sub')).toBe('alice');
    const large = (sub: string): string => signer.token({ sub, text: sub.padEnd(9_000_000) });
    await verifier.verify(large('bob'));
    expect(await verifier.verify(token)).toBe(first);
    await verifier.verify(large('carol'));
    await verifier.verify(large('dave'));
    expect(await verifier.verify(token)).not.toBe(first);
  });

  it('and returns a frozen caller', async () => {
    const { verifier } = createStage([signer.jwk]);
    expect(Object.isFrozen(await verifier.verify(token))).toBe(true);
  });

  it('but never a refused one', async () => {
    const { verifier, advance } = createStage([signer.jwk]);
    const early = signer.token({ nbf: startSeconds + 40 });
    await expect(verifier.verify(early)).rejects.toMatchObject(invalidToken);
    advance(10);
    await expect(verifier.verify(early)).resolves.toMatchObject({ subject: 'alice' });
  });
});
